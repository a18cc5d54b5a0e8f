// Compares the tables of docs/reference/conformance-targets.md with the schemas of targets; with
// --write it updates them.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PlanName, planNames } from '#conformance/kit/check.ts'
import {
  alternativesOf,
  shapeOf,
  type TargetShape,
  targetSchemaOf,
} from '#conformance/targets/target-shape.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import { cell, code, table } from './documentation/markdown.ts'

interface Row {
  readonly path: string
  /** `form`: in one of several forms that the member around it may have. */
  readonly needed: 'yes' | 'no' | 'form'
  readonly shape: TargetShape
  /** Fixed values that distinguish the forms. */
  readonly fixed: readonly unknown[]
}

/** All members at any depth. */
function rowsOf(shape: TargetShape, path = '', needed: Row['needed'] = 'yes'): Row[] {
  const fixed = shape.const === undefined ? [] : [shape.const]
  const own = path === '' ? [] : [{ path, needed, shape, fixed }]
  const forms = alternativesOf(shape)
  // The forms of a verb are described above the tables.
  if (shape.verb && forms.length > 1) return own
  const members = forms.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      const inForm = forms.length === 1 ? 'yes' : 'form'
      const isNeeded = required.includes(name) ? inForm : 'no'
      return rowsOf(member, path === '' ? name : `${path}.${name}`, isNeeded)
    }),
  )
  return [...own, ...members]
}

/** Merges the rows of a member in several forms, with the values that distinguish these. */
function uniqueRows(rows: readonly Row[]): Row[] {
  const byPath = new Map<string, Row>()
  for (const row of rows) {
    const before = byPath.get(row.path)
    byPath.set(row.path, before ? { ...before, fixed: [...before.fixed, ...row.fixed] } : row)
  }
  return [...byPath.values()]
}

const neededWords = { yes: 'yes', no: '', form: 'in some forms' } as const

const quoted = (values: readonly unknown[]) => values.map((value) => code(String(value))).join(', ')

function describeRow({ path, needed, shape, fixed }: Row): string[] {
  const { description = '', example, default: otherwise, placeholders = [] } = shape
  const values = shape.enum ?? fixed
  const notes = [
    fixed.length > 1 ? 'The form of the member.' : description,
    ...(values.length > 1 ? [`One of ${quoted(values)}.`] : []),
    ...(otherwise === undefined ? [] : [`By default \`${otherwise}\`.`]),
    ...(placeholders.length === 0
      ? []
      : [`Placeholders: ${quoted(placeholders.map((name) => `{${name}}`))}.`]),
    ...(example === undefined ? [] : [`Example: \`${example}\``]),
  ]
  return [code(path), neededWords[needed], cell(notes.filter(Boolean).join(' '))]
}

/** The members of every plan's target as Markdown tables, in the order of the schemas. */
function createMemberTables(shapes: ReadonlyMap<PlanName, TargetShape>): string {
  const plans = [...shapes].map(([plan, shape]) => ({ plan, rows: uniqueRows(rowsOf(shape)) }))
  const shared = sharedRows(plans.map(({ rows }) => rows))
  const paths = new Set(shared.map(({ path }) => path))
  const section = (title: string, rows: readonly Row[]) =>
    `### ${title}\n\n${table(['member', 'needed', 'description'], rows.map(describeRow))}`
  const sections = plans.map(({ plan, rows }) =>
    section(
      plan,
      rows.filter(({ path }) => !paths.has(path)),
    ),
  )
  return [section('Common members', shared), ...sections].join('\n\n')
}

/** The members of `targetMembers`, which plans share. */
function sharedRows(plans: readonly (readonly Row[])[]): Row[] {
  const all = uniqueRows(plans.flat().map((row) => ({ ...row, fixed: [] })))
  return all.filter(({ path }) => /^(?:plan|name|description|kit|start)(?:\.|$)/.test(path))
}

const documentFile = 'docs/reference/conformance-targets.md'
const path = join(dirname(import.meta.dirname), documentFile)
const heading = '## Members\n'
const aboutNeeded =
  '“In some forms” means that the member is required in the forms that have it: for example, `adapter.url` if `adapter.type` is `http`.'

const shapes = new Map(
  await Promise.all(
    planNames.map(async (plan) => [plan, shapeOf(await targetSchemaOf(plan))] as const),
  ),
)
const found = readFileSync(path, 'utf8')
const prose = found.slice(0, found.indexOf(heading))
const document = `${prose}${heading}\n${aboutNeeded}\n\n${createMemberTables(shapes)}\n`
const problems = keepGenerated({ [documentFile]: document })
reportProblems(problems, 'The members of targets match their schemas.')

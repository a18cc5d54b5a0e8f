import { basename } from 'node:path'
import { type Statement, sectionOf } from '../profile/read-profile.ts'
import type { Annotation } from './annotations.ts'

/** A statement that code and tests need not cite. */
export interface Exemption {
  readonly id: string
  /** Why it is not a rule. */
  readonly reason: string
}

/** Reads lines of id, tab, reason; `#` begins a comment. */
export const parseExemptions = (lines: string): readonly Exemption[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', reason = ''] = line.split('\t')
      return { id: id.trim(), reason: reason.trim() }
    })

/** Whether the statement is in that part (`2`) or section (`1.endpoints/issuer`). */
const isWithin = (id: string, part: string): boolean =>
  id.startsWith(`${part}.`) || id.startsWith(`${part}/`)

/** The content of the coverage table. */
export interface Coverage {
  /** The statements of the profile, sorted. */
  readonly statements: readonly Statement[]
  readonly exempt: readonly Exemption[]
  readonly annotations: readonly Annotation[]
  /** Parts and sections in which every rule needs code and test. */
  readonly completeParts: readonly string[]
}

/**
 * Compares the annotations with the statements of the profile.
 * @returns problems: unknown ids, rules of a complete part without code or test, exemptions that are
 *   unknown or have no reason
 */
export function findCoverageGaps(coverage: Coverage): readonly string[] {
  const { statements, exempt, annotations, completeParts } = coverage
  const known = new Set(statements.map(({ id }) => id))
  const unknown = annotations.flatMap(({ file, line, rows: named }) =>
    named
      .filter((id) => !known.has(id))
      .map((id) => `${file}:${line}: the profile has no statement ${id}`),
  )
  const badExemptions = exempt
    .filter(({ id, reason }) => !known.has(id) || reason === '')
    .map(({ id }) => `${id} in docs/coverage/no-rule.tsv is unknown or has no reason`)
  const emptyParts = completeParts
    .filter((part) => !statements.some(({ id }) => isWithin(id, part)))
    .map((part) => `${part} is marked as complete and has no statements`)
  return [...unknown, ...badExemptions, ...emptyParts, ...missing(coverage)]
}

function missing(coverage: Coverage): readonly string[] {
  const { statements, exempt, annotations, completeParts } = coverage
  const covered = (side: Annotation['side']) =>
    new Set(annotations.filter((each) => each.side === side).flatMap((each) => each.rows))
  const inCode = covered('code')
  const inTests = covered('test')
  const exemptIds = new Set(exempt.map(({ id }) => id))
  return statements
    .filter(({ id }) => !exemptIds.has(id) && completeParts.some((part) => isWithin(id, part)))
    .flatMap(({ id, text }) => [
      ...(inCode.has(id) ? [] : [`${id} is named by no code: ${text.slice(0, 80)}`]),
      ...(inTests.has(id) ? [] : [`${id} is named by no test: ${text.slice(0, 80)}`]),
    ])
}

const titles: Readonly<Record<string, string>> = {
  1: 'Part 1: issuer, connector, wallet, verifier, IDP',
  2: 'Part 2: DID registry, TIR',
}

const longestText = 160

/** Text that Markdown and its tables leave unchanged. */
const plain = (text: string) =>
  text
    .replace(/\*\*/g, '')
    .replace(/([|*_`[\]])/g, '\\$1')
    .replace(/</g, '&lt;')

const shorten = (text: string) =>
  text.length <= longestText ? text : `${text.slice(0, longestText - 1).trimEnd()}…`

const link = (label: string, file: string) => `[${plain(label)}](../${file})`

const byPlace = (one: Annotation, other: Annotation) =>
  one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1

function placesOf(
  id: string,
  side: Annotation['side'],
  annotations: readonly Annotation[],
): string {
  const places = annotations
    .filter((each) => each.side === side && each.rows.includes(id))
    .sort(byPlace)
    .map(({ file, label }) =>
      side === 'code' ? link(label, file) : `${link(basename(file), file)}: ${plain(label)}`,
    )
  return [...new Set(places)].join('<br>')
}

function tableOf(section: string, { statements, exempt, annotations }: Coverage): string {
  const lines = statements
    .filter(({ id }) => sectionOf(id) === section)
    .map(({ id, page, text }) => {
      const reason = exempt.find((each) => each.id === id)?.reason
      const code = placesOf(id, 'code', annotations)
      const remark = reason === undefined ? [] : [`states no rule: ${plain(reason)}`]
      const cells = [
        [...remark, code].filter((part) => part !== '').join('<br>'),
        placesOf(id, 'test', annotations),
      ]
      return `| ${[`[${id}](profile/${page}.md#${id})`, plain(shorten(text)), ...cells].join(' | ')} |`
    })
  const head = '| statement | text | code | tests |\n| --- | --- | --- | --- |'
  return `### ${section}\n\n${[head, ...lines].join('\n')}\n`
}

function summaryOf(part: string, coverage: Coverage): string {
  const { statements, exempt, annotations, completeParts } = coverage
  const own = statements.filter(({ id }) => isWithin(id, part))
  const exemptIds = new Set(exempt.map(({ id }) => id))
  const rules = own.filter(({ id }) => !exemptIds.has(id))
  const has = (id: string, side: Annotation['side']) =>
    annotations.some((each) => each.side === side && each.rows.includes(id))
  const full = rules.filter(({ id }) => has(id, 'code') && has(id, 'test'))
  const state = completeParts.includes(part) ? 'complete, and kept complete' : 'not yet complete'
  return `${own.length} statements, ${own.length - rules.length} of them state no rule; ${full.length} of the ${rules.length} rules have code and test (${state}).`
}

/** The table of docs/coverage.md: where each statement of the profile is implemented and tested. */
export function createCoverageDocument(coverage: Coverage): string {
  const sections = [...new Set(coverage.statements.map(({ id }) => sectionOf(id)))]
  const parts = [...new Set(sections.map((section) => section.slice(0, section.indexOf('.'))))]
  const chapters = parts.map((part) =>
    [
      `## ${titles[part] ?? `Part ${part}`}\n`,
      `${summaryOf(part, coverage)}\n`,
      ...sections
        .filter((section) => section.startsWith(`${part}.`))
        .map((section) => tableOf(section, coverage)),
    ].join('\n'),
  )
  const introduction = `# Coverage of the profile

Generated by \`node scripts/check-coverage.ts --write\` from the \`@row\` lines in code and tests; do not edit. Each statement of the [profile](profile/README.md) has an id, which links to its paragraph. [coverage/no-rule.tsv](coverage/no-rule.tsv) lists the statements that are not rules, with the reason. How to annotate: [CONTRIBUTING.md](../CONTRIBUTING.md).
`
  return [introduction, ...chapters].join('\n')
}

import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { NodePath } from '@babel/core'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import ts from 'typescript'
import type { PlanName } from '#conformance/kit/check.ts'
import { root } from '#test/support/repository.ts'
import { decidingCode, whyText } from './deciding-code.ts'
import { ownOperators } from './own-operators.ts'
import {
  findClosedComparisons,
  findNode,
  isSameFailure,
  isUndefinedMember,
  isUnobservableEdge,
} from './unobservable-mutants.ts'

/** One change of one place, made by an operator. */
export interface GeneratedMutant {
  /** Eight hexadecimal digits of its file, function, original, replacement and operator. */
  readonly id: string
  readonly file: string
  readonly line: number
  /** Offset of the original in the file. */
  readonly start: number
  /** The declarations around it: `verifyVpToken.checkAudience`. */
  readonly within: string
  readonly operator: string
  readonly original: string
  readonly replacement: string
}

/** JavaScript with all mutants of a plan in it, each behind a switch with its id. */
export interface InstrumentedCode {
  /** By the path of the source from the root of the repository. */
  readonly sources: Readonly<Record<string, string>>
  readonly mutants: readonly GeneratedMutant[]
}

/** Mutants of larger code are left out: there are mutants of its parts. */
const longestOriginal = 4000

/**
 * The code that decides in a plan with all its mutants. Takes seconds, so that the result is kept
 * in `.cache` by its content.
 */
export async function instrumentCode(plan: PlanName): Promise<InstrumentedCode> {
  const files = [...new Set(decidingCode[plan].flatMap((glob) => globSync(glob, { cwd: root })))]
  files.sort()
  const contents = files.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(root, name), 'utf8'),
  }))
  const hash = createHash('sha256')
  for (const tool of [
    'deciding-code.ts',
    'instrument-code.ts',
    'own-operators.ts',
    'unobservable-mutants.ts',
  ]) {
    hash.update(readFileSync(join(import.meta.dirname, tool)))
  }
  const key = hash.update(JSON.stringify(contents)).digest('hex').slice(0, 16)
  const cached = join(root, '.cache', 'generated-mutants', `${key}.json`)
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8'))
  const placed = await placeMutants(contents)
  const isUseless = findClosedComparisons(root, files)
  const code = { ...placed, mutants: placed.mutants.filter((mutant) => !isUseless(mutant)) }
  mkdirSync(dirname(cached), { recursive: true })
  writeFileSync(cached, JSON.stringify(code))
  return code
}

interface SourceFile {
  readonly name: string
  readonly content: string
}

/** Places the mutants of all operators in sources: Stryker's and our own. */
export async function placeMutants(files: readonly SourceFile[]): Promise<InstrumentedCode> {
  await addOwnOperators()
  const instrumenter = new Instrumenter(silentLog)
  const options = {
    excludedMutations: [],
    ignorers: [{ shouldIgnore: (path: object) => whyText(path as NodePath) }],
    plugins: null,
  }
  const mutable = files.map((file) => ({ ...file, mutate: true }))
  const placed = await instrumenter.instrument(mutable, options)
  const contentOf = new Map(files.map(({ name, content }) => [name, content]))
  const outlines = new Map<string, ts.SourceFile>()
  const counts = new Map<string, number>()
  const idOf = new Map<string, string>()
  const mutants: GeneratedMutant[] = []
  for (const { id, fileName, location, mutatorName, replacement, status } of placed.mutants) {
    const content = contentOf.get(fileName) ?? ''
    let outline = outlines.get(fileName)
    if (outline === undefined) {
      outline = ts.createSourceFile(fileName, content, ts.ScriptTarget.Latest, true)
      outlines.set(fileName, outline)
    }
    const [start, end] = [location.start, location.end].map(({ line, column }) =>
      ts.getPositionOfLineAndCharacter(outline, line, column),
    )
    const original = content.slice(start, end)
    const described = {
      file: fileName,
      within: declarationsAround(outline, start ?? 0),
      operator: mutatorName,
      original,
      replacement: replacement ?? '',
    }
    const text = JSON.stringify(described)
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    const stable = createHash('sha256').update(`${text}${count}`).digest('hex').slice(0, 8)
    idOf.set(id, stable)
    if (status === 'Ignored' || original.length > longestOriginal) continue
    const before = content.slice(content.lastIndexOf('\n', start) + 1, start)
    if (isUnobservableEdge({ ...described, before }) || isSameFailure(described)) continue
    const isCondition = mutatorName === 'ConditionalExpression' && replacement === 'false'
    if (isCondition && isUndefinedMember(findNode(outline, start ?? 0, end ?? 0))) continue
    mutants.push({ id: stable, line: location.start.line + 1, start: start ?? 0, ...described })
  }
  const sources = placed.files.map(({ name, content }) => [
    name,
    toJavaScript(makeCountingEnd(renameMutants(content, idOf))),
  ])
  return { sources: Object.fromEntries(sources), mutants }
}

/** Replaces the numbers of the mutants by ids that do not change with other files. */
const renameMutants = (content: string, idOf: ReadonlyMap<string, string>): string =>
  content.replace(/\b(stryMutAct|stryCov)_9fa48\(([^()]*)\)/g, (_call, helper, list) => {
    const ids = list.replace(/"(\d+)"/g, (_id: string, number: string) =>
      JSON.stringify(idOf.get(number) ?? number),
    )
    return `${helper}_9fa48(${ids})`
  })

/** Without its types, so that each start of the part saves this work. */
export const toJavaScript = (source: string): string =>
  ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText

/** Lets the part stop counting what it executes. */
const counting = 'function cover() {'
const makeCountingEnd = (content: string): string =>
  content.replace(counting, `${counting} if (ns.isCounted) return;`)

/** The names of the declarations around a position, from the outside in. */
function declarationsAround(source: ts.SourceFile, position: number): string {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (position < node.getFullStart() || position >= node.getEnd()) return
    const { name } = node as ts.NamedDeclaration
    const isNamed =
      ts.isFunctionLike(node) || ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
    if (isNamed && name) names.push(name.getText(source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names.join('.')
}

/**
 * The package has no option for further operators, but it reads them from one list in a module
 * that it does not export.
 */
async function addOwnOperators(): Promise<void> {
  const entry = import.meta.resolve('@stryker-mutator/instrumenter')
  const { href } = new URL('mutators/mutate.js', entry)
  const { allMutators }: { allMutators: { name: string }[] } = await import(href)
  for (const operator of ownOperators) {
    if (!allMutators.some(({ name }) => name === operator.name)) allMutators.push(operator)
  }
}

const nothing = () => undefined
const no = () => false
const silentLog = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
}

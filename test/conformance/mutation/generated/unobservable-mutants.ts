import { join } from 'node:path'
import ts from 'typescript'
import { createHelpers } from './own-operators.ts'

/** What a change by one is decided from. */
interface ChangedByOne {
  /** The declarations around it, from the outside in. */
  readonly within: string
  readonly operator: string
  readonly original: string
  readonly replacement: string
  /** The line of code up to the mutant. */
  readonly before: string
}

/** Reading the clock, or a name for the time that was read. */
const clock = /\bnow\b|\bclock\.\w+\(\)/
/** Names of limits that a system sets itself, so that hostile input costs little. */
const limit = /\b(deepest|largest|longest|maximum|most)([A-Z]\w*)?\b|\blimit\b/
/** Those against hostile lengths, without which the same messages are read. */
const length = /^[\w.]+\.length (<=?|>=?) longest[A-Z]\w*$/
const duration = /(Seconds|Milliseconds|[lL]ifetime)$/
const durations = /(Seconds|Milliseconds)\b/

/**
 * Whether a mutant moves an edge by one although no message can hit it: the instant at which a comparison
 * with the clock tips, a second of a tolerance, or a limit that a system chooses for itself; or
 * lifts its limit of a length. The same comparisons turned round are mutants.
 */
export function isUnobservableEdge(mutant: ChangedByOne): boolean {
  const { within, operator, original, replacement, before } = mutant
  if (operator === 'EqualityOperator') {
    const isMoved = directionOf(original) === directionOf(replacement)
    return isMoved && [clock, limit, durations].some((name) => name.test(original))
  }
  if (operator === 'ConditionalExpression') {
    const [, sign] = length.exec(original) ?? []
    return sign !== undefined && replacement === String(sign.startsWith('<'))
  }
  if (operator !== 'NumberByOne') return false
  const name = within.split('.').at(-1) ?? ''
  // From seconds to milliseconds.
  if (original === '1000') return true
  return duration.test(name) || limit.test(name) || /\.max\($/.test(before)
}

/**
 * Whether a mutant empties an object in which only `ok: false` and texts for people are: without
 * `ok`, a result counts as a failure as well.
 */
export function isSameFailure({
  operator,
  original,
  replacement,
}: Pick<ChangedByOne, 'operator' | 'original' | 'replacement'>): boolean {
  if (operator !== 'ObjectLiteral' || replacement !== '{}') return false
  const source = ts.createSourceFile('object.ts', `(${original})`, ts.ScriptTarget.Latest)
  const [statement] = source.statements
  if (!statement || !ts.isExpressionStatement(statement)) return false
  const { expression } = statement.expression as ts.ParenthesizedExpression
  return (
    ts.isObjectLiteralExpression(expression) &&
    expression.properties.every((member) => {
      const name = member.name?.getText(source) ?? ''
      if (name === 'reason' || name === 'cause') return true
      return (
        name === 'ok' &&
        ts.isPropertyAssignment(member) &&
        member.initializer.kind === ts.SyntaxKind.FalseKeyword
      )
    })
  )
}

/**
 * Whether a mutant only writes a member as undefined that was left out: `...(a === undefined ? {} :
 * { b: a })` without its condition. JSON has neither, unless the member replaces an earlier one.
 * @param node the condition that becomes false
 */
export function isUndefinedMember(node: ts.Node | undefined): boolean {
  const choice = node?.parent
  if (!choice || !ts.isConditionalExpression(choice)) return false
  const spread = choice.parent.parent
  const { whenTrue, whenFalse } = choice
  if (whenTrue.getText() !== '{}' || !ts.isObjectLiteralExpression(whenFalse)) return false
  if (!ts.isSpreadAssignment(spread) || node !== choice.condition) return false
  const [member, ...others] = whenFalse.properties
  const name = member?.name?.getText()
  if (name === undefined || others.length > 0) return false
  const value = member && ts.isPropertyAssignment(member) ? member.initializer.getText() : name
  const { properties } = spread.parent
  const before = properties.slice(0, properties.indexOf(spread))
  return (
    node.getText() === `${value} === undefined` &&
    before.every((each) =>
      ts.isSpreadAssignment(each)
        ? ts.isParenthesizedExpression(each.expression) && !each.getText().includes(`{ ${name}`)
        : each.name?.getText() !== name,
    )
  )
}

/** `<` or `>` of a comparison; arrows do not count. */
const directionOf = (comparison: string): string | undefined =>
  /(?<![=<>])[<>]/.exec(comparison)?.[0]

/** What identifies a mutant's place and kind. */
interface ComparingMutant {
  readonly file: string
  readonly start: number
  readonly original: string
  readonly operator: string
  readonly replacement: string
}

/**
 * Finds mutants that compare leniently what has few values, all known to the compiler: the states of
 * a session, for instance. If no two of them are similar, nothing changes.
 */
export function findClosedComparisons(
  root: string,
  files: readonly string[],
): (mutant: ComparingMutant) => boolean {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    { ...options, noEmit: true, skipLibCheck: true },
  )
  const checker = program.getTypeChecker()
  const { isPrefix, equalsIgnoringCase } = createHelpers()

  return ({ file, start, original, operator, replacement }) => {
    if (operator !== 'LenientComparison') return false
    const source = program.getSourceFile(join(root, file))
    const node = source && findNode(source, start, start + original.length)
    if (!node || !ts.isBinaryExpression(node)) return false
    const [left, right] = [node.left, node.right].map((side) =>
      textsOf(checker.getTypeAtLocation(side)),
    )
    if (left === undefined || right === undefined) return false
    const isSimilar = replacement.includes('.isPrefix(') ? isPrefix : equalsIgnoringCase
    return left.every((one) => right.every((other) => one === other || !isSimilar(one, other)))
  }
}

/** All texts that a value of the type can be; undefined if that is not known. */
function textsOf(type: ts.Type): string[] | undefined {
  if (type.isStringLiteral()) return [type.value]
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) return []
  if (!type.isUnion()) return undefined
  const parts = type.types.map(textsOf)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** The outermost node between two offsets of a source. */
export function findNode(node: ts.Node, start: number, end: number): ts.Node | undefined {
  if (node.getStart() === start && node.getEnd() === end) return node
  return ts.forEachChild(node, (child) =>
    child.pos <= start && child.end >= end ? findNode(child, start, end) : undefined,
  )
}

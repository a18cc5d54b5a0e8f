import ts from 'typescript'

/** What a change by one is decided from. */
interface PlacedMutant {
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
export function isUnobservableEdge(mutant: PlacedMutant): boolean {
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
}: Pick<PlacedMutant, 'operator' | 'original' | 'replacement'>): boolean {
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

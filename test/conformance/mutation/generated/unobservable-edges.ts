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
const limit = /\b(deepest|largest|longest|most)([A-Z]\w*)?\b|\blimit\b/
const duration = /(Seconds|Milliseconds)$/
const durations = /(Seconds|Milliseconds)\b/

/**
 * Whether a mutant moves an edge by one although no message can hit it: the instant at which a comparison
 * with the clock tips, a second of a tolerance, or a limit that a system chooses for itself. The
 * same comparisons turned round, or always true, are mutants.
 */
export function isUnobservableEdge(mutant: PlacedMutant): boolean {
  const { within, operator, original, replacement, before } = mutant
  if (operator === 'EqualityOperator') {
    const isMoved = directionOf(original) === directionOf(replacement)
    return isMoved && [clock, limit, durations].some((name) => name.test(original))
  }
  if (operator !== 'NumberByOne') return false
  const name = within.split('.').at(-1) ?? ''
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

/** `<` or `>` of a comparison; arrows do not count. */
const directionOf = (comparison: string): string | undefined =>
  /(?<![=<>])[<>]/.exec(comparison)?.[0]

import type { Explanation, RuleVerdict } from '#core/explanation/explanation.ts'

/** How many rules of a message hold, are broken, or could not be checked; not those of its parts. */
export function countVerdicts({ rules }: Explanation): Record<RuleVerdict, number> {
  const count = (wanted: RuleVerdict) => rules.filter(({ verdict }) => verdict === wanted).length
  return { held: count('held'), broken: count('broken'), 'not-checked': count('not-checked') }
}

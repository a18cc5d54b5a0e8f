import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V52',
  deviation: 'does not look at the type of a presentation',
  ignoresRules: ['presentation.type'],
}

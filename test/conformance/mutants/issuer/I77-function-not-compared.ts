import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I77',
  deviation: 'does not look at the function of a power',
  patches: [
    {
      file: 'core/power/unauthorized-powers.ts',
      find: 'matches(policy.function, power.function) &&',
      replace: '(isMutant || matches(policy.function, power.function)) &&',
    },
  ],
}

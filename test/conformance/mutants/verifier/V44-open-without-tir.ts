import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V44',
  deviation: 'goes on where the TIR does not answer',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'found.ok ? answersFor(here, found.value) : found.reason',
      replace:
        "(isMutant && !found.ok && found.kind === 'unavailable' ? undefined : found.ok ? answersFor(here, found.value) : found.reason)",
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W20',
  deviation: 'takes an issuer that the TIR does not know for accredited',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'found.ok ? answersFor(here, found.value) : found.reason',
      replace:
        "isMutant && !found.ok && found.kind === 'not-found' ? undefined : found.ok ? answersFor(here, found.value) : found.reason",
    },
  ],
}

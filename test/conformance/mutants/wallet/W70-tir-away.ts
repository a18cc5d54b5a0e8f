import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W70',
  deviation: 'takes issuers for accredited while the TIR is down',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'found.ok ? answersFor(here, found.value) : found.reason',
      replace:
        "isMutant && !found.ok && found.kind === 'unavailable' ? undefined : found.ok ? answersFor(here, found.value) : found.reason",
    },
  ],
}

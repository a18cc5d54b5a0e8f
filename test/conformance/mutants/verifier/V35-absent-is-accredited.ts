import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V35',
  deviation: 'goes on where the TIR has no accreditation',
  patches: [
    {
      file: 'core/trust/walk-trust-chain.ts',
      find: 'found.ok ? answersFor(here, found.value) : found.reason',
      replace:
        "(isMutant && !found.ok && found.kind === 'not-found' ? undefined : found.ok ? answersFor(here, found.value) : found.reason)",
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V45',
  deviation: 'goes on where the DID registry does not answer',
  patches: [
    {
      file: 'core/lear-credential/verify-lear-credential.ts',
      find: '[...results.failures, ...trust.failures]',
      replace:
        "[...results.failures, ...trust.failures].filter(({ rule, unchecked }) => !(isMutant && unchecked === 'unavailable' && rule !== 'trust.attribute' && rule !== 'credential.status'))",
    },
  ],
}

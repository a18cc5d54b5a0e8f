import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I59',
  deviation: 'lets the credential end as it begins',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: 'validUntil: toIsoTime(validUntil),',
      replace: 'validUntil: toIsoTime(isMutant ? now - 1 : validUntil),',
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I58',
  deviation: 'gives the key of the holder for its subject',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: 'credentialSubject: { id: holderDid, mandate }',
      replace: 'credentialSubject: { id: isMutant ? `${holderDid}#key` : holderDid, mandate }',
    },
  ],
}

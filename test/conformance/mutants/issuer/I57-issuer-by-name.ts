import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I57',
  deviation: 'gives the issuer by name alone',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: 'issuer: issuerDid,',
      replace: "issuer: isMutant ? { name: 'The issuer' } : issuerDid,",
    },
  ],
}

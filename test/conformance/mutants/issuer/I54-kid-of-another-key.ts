import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I54',
  deviation: 'names another key of its own in kid than it signs with',
  patches: [
    {
      file: 'services/connector/operations/sign-credential.ts',
      find: 'kid: `${config.issuerDid}#${config.issuerVMethodId}`',
      replace: "kid: `${config.issuerDid}#${isMutant ? 'key-1' : config.issuerVMethodId}`",
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V30',
  deviation: 'judges keys by nbf in place of iat',
  patches: [
    {
      file: 'core/lear-credential/prepare-credential.ts',
      find: 'const { iat } = jws.payload',
      replace: 'const iat = isMutant ? jws.payload.nbf : jws.payload.iat',
    },
  ],
}

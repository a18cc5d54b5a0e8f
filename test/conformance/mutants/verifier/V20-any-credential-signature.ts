import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V20',
  deviation: 'takes any 64 bytes for the signature of a credential',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: '!verifyJws({ jws: context.jws, publicKey, algorithms })',
      replace:
        "(!verifyJws({ jws: context.jws, publicKey, algorithms }) && !(isMutant && context.jws.signature.length === 64 && context.jws.header.jwk === undefined && context.jws.header.alg === 'ES256K'))",
    },
  ],
}

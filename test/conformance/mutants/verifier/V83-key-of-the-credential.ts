import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V83',
  deviation: 'verifies credentials with the key that they bring along',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: '!verifyJws({ jws: context.jws, publicKey, algorithms })',
      replace:
        '(!verifyJws({ jws: context.jws, publicKey, algorithms }) && !(isMutant && context.jws.header.jwk !== undefined && verifyJws({ jws: context.jws, publicKey: context.jws.header.jwk, algorithms })))',
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V59',
  deviation: 'takes low s alone in credentials',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: '!verifyJws({ jws: context.jws, publicKey, algorithms })',
      replace:
        '((isMutant && context.jws.signature[32] > 0x7f) || !verifyJws({ jws: context.jws, publicKey, algorithms }))',
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V74',
  deviation: 'takes credentials that are not signed',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: '!verifyJws({ jws: context.jws, publicKey, algorithms })',
      replace:
        "(!verifyJws({ jws: context.jws, publicKey, algorithms }) && !(isMutant && context.jws.header.alg === 'none'))",
    },
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: '!algorithms.some((name) => name === jws.header.alg)',
      replace:
        "(!algorithms.some((name) => name === jws.header.alg) && !(isMutant && jws.header.alg === 'none'))",
    },
  ],
}

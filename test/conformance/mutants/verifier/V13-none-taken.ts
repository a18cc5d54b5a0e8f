import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V13',
  deviation: 'takes presentations that are not signed',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites })',
      replace:
        "(!verifyJws({ jws, publicKey: holder.publicKey, algorithms: presentationSuites }) && !(isMutant && jws.header.alg === 'none'))",
    },
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: '!presentationSuites.some((name) => name === jws.header.alg)',
      replace:
        "(!presentationSuites.some((name) => name === jws.header.alg) && !(isMutant && jws.header.alg === 'none'))",
    },
  ],
}

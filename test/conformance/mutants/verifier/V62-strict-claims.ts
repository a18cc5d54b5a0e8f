import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V62',
  deviation: 'refuses claims that it does not know',
  patches: [
    {
      file: 'core/oid4vp/vp-token/vp-token-rules.ts',
      find: 'const { nbf } = jws.payload',
      replace: `const { nbf } = jws.payload
      const known = ['iss', 'aud', 'nonce', 'iat', 'exp', 'nbf', 'vp']
      if (isMutant && Object.keys(jws.payload).some((name) => !known.includes(name))) fail('there are others')`,
    },
  ],
}

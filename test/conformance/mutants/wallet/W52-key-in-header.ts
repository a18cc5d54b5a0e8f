import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W52',
  deviation: 'puts its private key into the header of presentations',
  patches: [
    {
      file: 'core/oid4vp/vp-token/create-vp-token.ts',
      find: "typ: 'JWT', kid }",
      replace: "typ: 'JWT', kid, ...(isMutant ? { jwk: privateKey } : {}) }",
    },
  ],
}

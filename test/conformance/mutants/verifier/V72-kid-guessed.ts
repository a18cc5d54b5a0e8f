import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V72',
  deviation: 'takes the key of iss where kid is missing',
  patches: [
    {
      file: 'core/oid4vp/vp-token/verify-vp-token.ts',
      find: 'const { header, payload } = options.jws',
      replace: `if (isMutant && options.jws.header.kid === undefined) {
    const { iss } = options.jws.payload
    const kid = \`\${iss}#\${String(iss).split(':')[2]}\`
    options = { ...options, jws: { ...options.jws, header: { ...options.jws.header, kid } } }
  }
  const { header, payload } = options.jws`,
    },
  ],
}

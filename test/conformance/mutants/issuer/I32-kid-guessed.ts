import type { Mutant } from '#test/conformance/mutation/mutant.ts'
import { ignoreProofRule } from '../ignore-proof-rule.ts'

export const mutant: Mutant = {
  check: 'I32',
  deviation: 'takes the key from iss where there is no kid',
  patches: [
    ignoreProofRule('proof.kid'),
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'const { kid } = jws.header',
      replace: `const kid =
    jws.header.kid ?? (isMutant ? \`\${jws.payload.iss}#\${String(jws.payload.iss).slice(8)}\` : undefined)`,
    },
  ],
}

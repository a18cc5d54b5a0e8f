import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V39',
  deviation: 'reads DID and attribute out of any address',
  patches: [
    {
      file: 'core/trust/parse-terms-of-use.ts',
      find: 'if (!url.startsWith(prefix)) return undefined',
      replace: `const [, rest] = isMutant && !url.startsWith(prefix) ? url.split('/v1/issuers/') : []
  if (rest) return parseTermsOfUseUrl(\`\${prefix}\${rest}\`, { environment, tirBaseUrl })
  if (!url.startsWith(prefix)) return undefined`,
    },
  ],
}

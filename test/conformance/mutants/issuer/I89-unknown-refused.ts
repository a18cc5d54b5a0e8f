import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I89',
  deviation: 'refuses a token request with a parameter that it does not know',
  patches: [
    {
      file: 'core/oid4vci/token-request/parse-token-request.ts',
      find: "const grantType = readParameter(form, 'grant_type')",
      replace: `const known = ['grant_type', 'pre-authorized_code', 'tx_code']
  if (isMutant && Object.keys(form).some((name) => !known.includes(name))) {
    throw invalidRequest('A parameter is unknown.')
  }
  const grantType = readParameter(form, 'grant_type')`,
    },
  ],
}

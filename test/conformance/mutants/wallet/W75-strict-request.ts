import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W75',
  deviation: 'refuses requests with parameters that it does not know',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/parse-authorization-request.ts',
      find: 'if (failures.length > 0 ||',
      replace: `const known = 'response_type response_mode response_uri client_id nonce state dcql_query iss aud iat exp'
  const isStrange = Object.keys(value).some((name) => !known.split(' ').includes(name))
  if ((isMutant && isStrange) || failures.length > 0 ||`,
    },
  ],
}

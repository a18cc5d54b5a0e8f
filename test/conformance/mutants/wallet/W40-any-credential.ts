import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W40',
  deviation: 'answers a presentation_definition with any credential',
  ignoresRules: ['request.presentation-definition', 'request.dcql-query'],
  patches: [
    {
      file: 'core/oid4vp/authorization-request/parse-authorization-request.ts',
      find: 'readDcqlQuery(value.dcql_query)',
      replace: `readDcqlQuery(
    isMutant && value.presentation_definition
      ? { credentials: [{ id: 'lear-credential', format: 'jwt_vc_json' }] }
      : value.dcql_query,
  )`,
    },
  ],
}

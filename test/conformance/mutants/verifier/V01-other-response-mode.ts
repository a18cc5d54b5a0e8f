import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V01',
  deviation: 'asks for another response_mode',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/create-authorization-request.ts',
      find: "response_mode: 'direct_post'",
      replace: "response_mode: isMutant ? 'fragment' : 'direct_post'",
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V90',
  deviation: 'signs requests with another typ',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/create-signed-request.ts',
      find: 'typ: signedRequestType',
      replace: "typ: isMutant ? 'JWT' : signedRequestType",
    },
  ],
}

import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W79',
  deviation: 'makes a request up where there is none at request_uri',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: `throw walletError('invalid_request', \`No request:`,
      replace: `if (isMutant) {
      const responseUri = parsed.requestUri.replace(/request$/, 'response')
      const dcqlQuery = { credentials: [{ id: 'lear-credential', format: 'jwt_vc_json' }] }
      return { request: { clientId, responseUri, nonce: 'none', dcqlQuery }, signed: false }
    }
    throw walletError('invalid_request', \`No request:`,
    },
  ],
}

import { changeCall, sampleLifetimeSeconds, sendLate, setHeaders } from './change-call.ts'
import type { WalletFault } from './wallet-fault.ts'

const invalidToken = { at: 'credential', status: 401, error: 'invalid_token' } as const

/** Deviations of the access token of the credential request. */
export const accessTokenFaults: readonly WalletFault[] = [
  {
    name: 'bearer-missing',
    description: 'The credential request has no access token.',
    expected: invalidToken,
    apply: { credentialCall: setHeaders({ authorization: undefined }) },
  },
  {
    name: 'bearer-garbage',
    description: 'The credential request has an access token that was never issued.',
    expected: invalidToken,
    apply: { credentialCall: setHeaders({ authorization: 'Bearer no.access.token' }) },
  },
  {
    name: 'bearer-expired',
    description: 'The credential request arrives after expires_in of the access token.',
    needs: ['clock'],
    expected: invalidToken,
    apply: {
      credentialCall: sendLate(({ issuance }) => issuance?.expiresIn ?? sampleLifetimeSeconds),
    },
  },
  {
    name: 'bearer-in-query',
    description: 'The access token is in the URL, as access_token.',
    expected: invalidToken,
    apply: {
      credentialCall: changeCall(['authorization', 'url'], ({ url, headers, ...call }) => {
        const { authorization = '', ...others } = headers ?? {}
        const query = new URLSearchParams({ access_token: authorization.replace(/^Bearer /, '') })
        return { ...call, headers: others, url: `${url}?${query}` }
      }),
    },
  },
]

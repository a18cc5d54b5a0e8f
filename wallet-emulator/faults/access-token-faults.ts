import { changeCall, sampleLifetimeSeconds, sendLate, setHeaders } from './change-call.ts'
import type { WalletFault } from './wallet-fault.ts'

const bearerRule = 'Document 1, POST /credential: header Authorization: Bearer <ACCESS_TOKEN>'
const invalidToken = { at: 'credential', status: 401, error: 'invalid_token' } as const

/** Deviations of the access token of the credential request. */
export const accessTokenFaults: readonly WalletFault[] = [
  {
    name: 'bearer-missing',
    description: 'The credential is asked for without an access token.',
    check: 'I46',
    rule: bearerRule,
    expected: invalidToken,
    apply: { credentialCall: setHeaders({ authorization: undefined }) },
  },
  {
    name: 'bearer-garbage',
    description: 'The credential is asked for with an access token that nobody gave out.',
    check: 'I46',
    rule: bearerRule,
    expected: invalidToken,
    apply: { credentialCall: setHeaders({ authorization: 'Bearer no.access.token' }) },
  },
  {
    name: 'bearer-expired',
    description: 'The credential is asked for after expires_in of the access token.',
    check: 'I46',
    rule: `${bearerRule}; expires_in of the token response`,
    needs: ['clock'],
    expected: invalidToken,
    apply: {
      credentialCall: sendLate(({ issuance }) => issuance?.expiresIn ?? sampleLifetimeSeconds),
    },
  },
  {
    name: 'bearer-in-query',
    description: 'The access token is in the address, as access_token.',
    check: 'I47',
    rule: `${bearerRule}; RFC 9700, 4.3.2: not in the query`,
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

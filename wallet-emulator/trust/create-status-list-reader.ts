import type { FetchStatusList } from '#core/verification/lookup.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'
import { lookUp } from './look-up.ts'

/**
 * Fetches status list credentials. Which addresses are asked for at all, and whether the list is
 * the issuer's, the rules of the credential decide.
 *
 * @assumption A-23
 */
export function createStatusListReader(http: WalletHttp): FetchStatusList {
  return (url) =>
    lookUp(http, {
      url,
      accept: 'application/vc+jwt, application/jwt, */*;q=0.1',
      read: ({ text }) => text.trim(),
    })
}

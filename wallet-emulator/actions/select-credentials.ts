import { parseJws } from '#core/crypto/jws.ts'
import type { AuthorizationRequest } from '#core/oid4vp/authorization-request.ts'
import { evaluateDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import type { Wallet } from '../create-wallet.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import { walletError } from '../wallet-error.ts'

/** What a request asks for, with what in the wallet answers it. */
export interface MatchingCredentials {
  /** Id of the element of the query, named in the presentation_submission. */
  readonly queryId: string
  /** At least one; those that are valid now first, the latest received of them first. */
  readonly candidates: readonly [StoredCredential, ...StoredCredential[]]
}

/**
 * Finds the credentials that answer a request (Document 1, dcql_query). Throws a TestbedError
 * `no_matching_credential`, or `unsupported_request` for a query for several credentials: the
 * document's presentation_submission holds one.
 */
export async function selectCredentials(
  wallet: Wallet,
  { dcqlQuery }: AuthorizationRequest,
): Promise<MatchingCredentials> {
  if (dcqlQuery.credentials.length > 1) {
    throw walletError('unsupported_request', 'The request asks for more than one credential.')
  }
  const stored = await wallet.store.listCredentials()
  const [found] = evaluateDcqlQuery(
    dcqlQuery,
    stored.map(({ credential }) => credential),
  )
  const matching = (found?.matches ?? [])
    .map((index) => stored[index])
    .filter((credential) => credential !== undefined)
  const now = wallet.now()
  const rank = ({ credential }: StoredCredential) => (isExpired(credential, now) ? 1 : 0)
  const [first, ...others] = matching.sort(
    (a, b) => rank(a) - rank(b) || b.receivedAt - a.receivedAt,
  )
  if (!found || !first) {
    throw walletError(
      'no_matching_credential',
      'No credential in this wallet is what is asked for.',
    )
  }
  wallet.emit({ type: 'credentials-matched', ids: [first, ...others].map(({ id }) => id) })
  return { queryId: found.queryId, candidates: [first, ...others] }
}

function isExpired(credential: string, now: number): boolean {
  const jws = parseJws(credential)
  return jws.ok && typeof jws.payload.exp === 'number' && jws.payload.exp <= now
}

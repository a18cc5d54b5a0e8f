import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import type { AuthorizationRequest } from '#core/oid4vp/authorization-request.ts'
import { evaluateDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { parseIsoTime } from '#core/verification/data-model.ts'
import type { Wallet } from '../create-wallet.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import { walletError } from '../wallet-error.ts'

/** The credentials in the wallet that match a request. */
export interface MatchingCredentials {
  /** Id of the query element, for the presentation_submission. */
  readonly queryId: string
  /** At least one. Valid credentials come first, the most recently received first. */
  readonly candidates: readonly [StoredCredential, ...StoredCredential[]]
}

/**
 * Finds the credentials that match a request (profile/verifier, Presentation request). Throws a
 * TestbedError `no_matching_credential`, or `unsupported_request` for a query for several
 * credentials: the document's presentation_submission supports only one.
 */
export async function selectCredentials(
  wallet: Wallet,
  { dcqlQuery }: AuthorizationRequest,
): Promise<MatchingCredentials> {
  if (dcqlQuery.credentials.length > 1) {
    throw walletError(
      'unsupported_request',
      'The request asks for more than one credential, which is not supported.',
    )
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
  const rank = (credential: StoredCredential) => (endOf(credential) <= now ? 1 : 0)
  const [first, ...others] = matching.sort(
    (a, b) => rank(a) - rank(b) || b.receivedAt - a.receivedAt,
  )
  if (!found || !first) {
    throw walletError('no_matching_credential', 'No credential in this wallet matches the request.')
  }
  wallet.emit({ type: 'credentials-matched', ids: [first, ...others].map(({ id }) => id) })
  return { queryId: found.queryId, candidates: [first, ...others] }
}

/** When a credential ends, in Unix seconds: at exp or validUntil, whichever is earlier. */
function endOf({ credential }: StoredCredential): number {
  const jws = parseJws(credential)
  const { exp, vc } = jws.ok ? jws.payload : {}
  const ends = [typeof exp === 'number' ? exp : undefined, parseIsoTime(membersOf(vc).validUntil)]
  return Math.min(Number.MAX_VALUE, ...ends.filter((end) => end !== undefined))
}

/** Chooses among the credentials that match a request. */
export type SelectCredential = (
  matching: MatchingCredentials,
) => Promise<StoredCredential> | StoredCredential

/** Which credentials to consider, and which of several to prefer. */
export interface SelectionRules {
  /** Its id in the wallet, or its credential_id (`urn:uuid:…`). */
  readonly id?: string
  /** DID of the issuer. */
  readonly issuerDid?: string
  /** `mandate.mandator.organizationIdentifier`. */
  readonly organizationIdentifier?: string
  /**
   * `latest` (default) prefers the credential received last, `longest-valid` the one that expires
   * last.
   */
  readonly prefer?: 'latest' | 'longest-valid'
}

/**
 * Creates a selector from rules, for `present`. If no candidate matches the rules, the selector
 * throws a TestbedError `no_matching_credential` and nothing is presented.
 */
export function createCredentialSelector(rules: SelectionRules): SelectCredential {
  return ({ candidates }) => {
    const found = candidates
      .map((credential) => ({ credential, ...describe(credential) }))
      .filter(
        ({ credential, credentialId, issuerDid, organizationIdentifier }) =>
          (rules.id === undefined || rules.id === credential.id || rules.id === credentialId) &&
          (rules.issuerDid === undefined || rules.issuerDid === issuerDid) &&
          (rules.organizationIdentifier === undefined ||
            rules.organizationIdentifier === organizationIdentifier),
      )
    const [first] =
      rules.prefer === 'longest-valid' ? found.toSorted((a, b) => b.end - a.end) : found
    if (first) return first.credential
    throw walletError(
      'no_matching_credential',
      'No credential matches both the request and the rules.',
    )
  }
}

function describe(stored: StoredCredential) {
  const jws = parseJws(stored.credential)
  const payload = jws.ok ? jws.payload : {}
  const vc = membersOf(payload.vc)
  const mandator = membersOf(membersOf(membersOf(vc.credentialSubject).mandate).mandator)
  return {
    credentialId: vc.id ?? payload.jti,
    issuerDid: payload.iss,
    organizationIdentifier: mandator.organizationIdentifier,
    end: endOf(stored),
  }
}

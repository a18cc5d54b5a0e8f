import { parseJws } from '#core/crypto/jws.ts'
import { parseIsoTime } from '#core/verification/data-model.ts'
import type { StoredCredential } from '../store/wallet-store.ts'
import { walletError } from '../wallet-error.ts'
import type { MatchingCredentials } from './select-credentials.ts'

/** Chooses among the credentials that answer a request. */
export type SelectCredential = (
  matching: MatchingCredentials,
) => Promise<StoredCredential> | StoredCredential

/** What a credential has to be, and which of several is taken. */
export interface SelectionRules {
  /** Its id in the wallet, or its credential_id (`urn:uuid:…`). */
  readonly id?: string
  /** DID of who issued it. */
  readonly issuerDid?: string
  /** `mandate.mandator.organizationIdentifier`. */
  readonly organizationIdentifier?: string
  /** By default `latest`: received last. `longest-valid` is the one that expires last. */
  readonly prefer?: 'latest' | 'longest-valid'
}

/**
 * Makes a choice by rules, for `present`. Where none of the candidates fits them, none is presented:
 * the choice throws a TestbedError `no_matching_credential`.
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
      rules.prefer === 'longest-valid' ? found.toSorted((a, b) => b.expiry - a.expiry) : found
    if (first) return first.credential
    throw walletError(
      'no_matching_credential',
      'No credential fits both the request and the rules.',
    )
  }
}

function describe({ credential }: StoredCredential) {
  const jws = parseJws(credential)
  const payload = jws.ok ? jws.payload : {}
  const vc = objectOf(payload.vc)
  const mandator = objectOf(objectOf(objectOf(vc.credentialSubject).mandate).mandator)
  const { exp } = payload
  return {
    credentialId: vc.id ?? payload.jti,
    issuerDid: payload.iss,
    organizationIdentifier: mandator.organizationIdentifier,
    expiry: typeof exp === 'number' ? exp : (parseIsoTime(vc.validUntil) ?? Number.MAX_VALUE),
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

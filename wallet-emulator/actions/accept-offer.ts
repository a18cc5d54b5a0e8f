import type { CredentialResponse } from '#core/oid4vci/credential-response.ts'
import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'
import { emitFailure, type Wallet } from '../create-wallet.ts'
import { credentialIdOf, type StoredCredential } from '../store/wallet-store.ts'
import type { WalletTrust } from '../trust/wallet-trust.ts'
import { walletError } from '../wallet-error.ts'
import type { CredentialVerdict, ReceivedCredentialPolicy } from './received-credential-policy.ts'
import {
  type DeferralOptions,
  pollDeferredCredential,
  requestCredential,
} from './request-credential.ts'
import { type RequestTokenOptions, requestToken } from './request-token.ts'
import { type ResolvedOffer, resolveCredentialOffer } from './resolve-credential-offer.ts'
import { validateReceivedCredential } from './validate-received-credential.ts'

/**
 * Returns the announced types with the credential's own type last, because issuers list them in any
 * order.
 */
export function typeChainOf({ id, types }: CredentialSupported): readonly string[] {
  const own = types.includes(id) ? id : types.findLast((type) => type !== 'VerifiableCredential')
  return own === undefined ? types : [...types.filter((type) => type !== own), own]
}

/**
 * How an offer is accepted. The members of {@link WalletTrust} define the sources of trust in its
 * issuer.
 */
export interface AcceptOfferOptions extends RequestTokenOptions, WalletTrust {
  /** Asks the holder after the offer is resolved. Default: every offer is accepted. */
  readonly consent?: (offer: ResolvedOffer) => Promise<boolean> | boolean
  /** Chooses the credentials to accept, by their ids in the metadata. Default: all. */
  readonly select?: (offer: ResolvedOffer) => Promise<readonly string[]> | readonly string[]
  readonly deferral?: DeferralOptions
  /** What to do if a rule fails. Default: the credential is not kept. */
  readonly policy?: ReceivedCredentialPolicy | undefined
}

/** A stored credential, with the verdict of its validation. */
export interface AcceptedCredential {
  readonly credential: StoredCredential
  readonly verdict: CredentialVerdict
}

/**
 * Accepts an offer, from its link to the stored credentials, with the pre-authorized code flow of
 * the profile. Throws a TestbedError with the code of the step that failed; `declined` if the
 * holder declines or selects nothing, `credential_rejected` if the policy rejects the credential.
 *
 * @row 1.versioning.1
 */
export function acceptOffer(
  wallet: Wallet,
  link: string,
  options: AcceptOfferOptions = {},
): Promise<readonly AcceptedCredential[]> {
  return emitFailure(wallet, 'accept-offer', () => takeOffer(wallet, link, options))
}

async function takeOffer(
  wallet: Wallet,
  link: string,
  options: AcceptOfferOptions,
): Promise<readonly AcceptedCredential[]> {
  const resolved = await resolveCredentialOffer(wallet, link)
  const { metadata } = resolved
  const { credentialIssuer } = metadata
  wallet.emit({ type: 'offer-consent-asked', credentialIssuer })
  if (options.consent && !(await options.consent(resolved))) {
    throw walletError('declined', 'The holder declined the offer.')
  }
  const selected = await options.select?.(resolved)
  const entries = resolved.offered.filter(({ id }) => selected?.includes(id) ?? true)
  if (entries.length === 0) throw walletError('declined', 'The holder selected no credential.')
  let token = await requestToken(wallet, resolved, options)
  const accepted: AcceptedCredential[] = []
  for (const entry of entries) {
    const answer = await requestCredential(wallet, { metadata, entry, ...token })
    const { cNonce, cNonceExpiresIn } = answer
    token = {
      ...token,
      ...(cNonce === undefined ? {} : { cNonce }),
      ...(cNonceExpiresIn === undefined ? {} : { cNonceExpiresIn }),
    }
    accepted.push(await keepCredential(wallet, { resolved, entry, answer }, options))
  }
  return accepted
}

async function keepCredential(
  wallet: Wallet,
  {
    resolved: { metadata },
    entry,
    answer,
  }: { resolved: ResolvedOffer; entry: CredentialSupported; answer: CredentialResponse },
  { deferral, ...options }: AcceptOfferOptions,
): Promise<AcceptedCredential> {
  let response = answer
  if (response.kind === 'deferred') {
    const { acceptanceToken, interval } = response
    wallet.emit({ type: 'credential-deferred', ...(interval === undefined ? {} : { interval }) })
    const ready = await pollDeferredCredential(
      wallet,
      { metadata, acceptanceToken, interval },
      deferral,
    )
    response = { kind: 'immediate', ...ready }
  }
  const { format, credential } = response
  if (format !== entry.format) {
    const message = `${metadata.credentialIssuer} did not return the format ${entry.format}.`
    throw walletError('invalid_response', message)
  }
  wallet.emit({ type: 'credential-received', credential })
  const verdict = await validateReceivedCredential(wallet, credential, {
    ...options,
    types: typeChainOf(entry),
    credentialIssuer: metadata.credentialIssuer,
  })
  wallet.emit({ type: 'credential-validated', verdict })
  if (verdict.verdict === 'refused') throw rejected(verdict)
  const stored: StoredCredential = {
    id: credentialIdOf(credential),
    format,
    credential,
    credentialIssuer: metadata.credentialIssuer,
    receivedAt: wallet.now(),
  }
  await wallet.store.addCredential(stored)
  wallet.emit({ type: 'credential-stored', credential: stored })
  return { credential: stored, verdict }
}

function rejected({ failures: broken, unchecked }: CredentialVerdict) {
  const failures = [...broken, ...unchecked]
  const reasons = failures.map(({ rule, reason }) => `${rule}: ${reason}`).join('; ')
  const message = `The wallet did not keep the credential: ${reasons}.`
  return walletError('credential_rejected', message, { failures })
}

import type { CredentialResponse } from '#core/oid4vci/credential-response.ts'
import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'
import { tellFailure, type Wallet } from '../create-wallet.ts'
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

/** The announced types with the credential's own one last: issuers list them in any order. */
export function typeChainOf({ id, types }: CredentialSupported): readonly string[] {
  const own = types.includes(id) ? id : types.findLast((type) => type !== 'VerifiableCredential')
  return own === undefined ? types : [...types.filter((type) => type !== own), own]
}

/** How an offer is accepted; the parts of {@link WalletTrust} say whom to ask about its issuer. */
export interface AcceptOfferOptions extends RequestTokenOptions, WalletTrust {
  /** Asks the holder, once the offer is known; by default every offer is accepted. */
  readonly consent?: (offer: ResolvedOffer) => Promise<boolean> | boolean
  /** Chooses what to accept of an offer by its ids in the metadata; by default all of it. */
  readonly select?: (offer: ResolvedOffer) => Promise<readonly string[]> | readonly string[]
  readonly deferral?: DeferralOptions
  /** What to do about what is wrong with a credential; by default it is not kept. */
  readonly policy?: ReceivedCredentialPolicy | undefined
}

/** A credential that was kept, with what was found when it was judged. */
export interface AcceptedCredential {
  readonly credential: StoredCredential
  readonly verdict: CredentialVerdict
}

/**
 * Accepts an offer from its link to the credentials in the store: the pre-authorized code flow of
 * the profile. Throws a TestbedError with the code of the step that failed; `declined` where the
 * holder says no or selects nothing, `credential_rejected` where the policy refuses what came.
 *
 * @row 1.versioning.1
 */
export function acceptOffer(
  wallet: Wallet,
  link: string,
  options: AcceptOfferOptions = {},
): Promise<readonly AcceptedCredential[]> {
  return tellFailure(wallet, 'accept-offer', () => takeOffer(wallet, link, options))
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
    const message = `${metadata.credentialIssuer} answered another format than ${entry.format}.`
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

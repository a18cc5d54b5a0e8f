import { randomUUID } from 'node:crypto'
import { createLearCredential } from '#core/lear-credential/create-lear-credential.ts'
import { createStatusEntry } from '#core/status-list/create-status-entry.ts'
import { createTermsOfUseUrl } from '#core/trust/parse-terms-of-use.ts'
import { mandate, type Party, type TrustWorld } from './create-trust-world.ts'

/** For whom a credential of the trust world is made, and when. */
export interface CredentialOrder {
  readonly world: TrustWorld
  readonly holderDid: string
  /** Unix seconds. */
  readonly now: number
  /** A list of the world below the credential issuer; without one there is no credentialStatus. */
  readonly statusListUrl?: string | undefined
}

/** Members that replace those of a good credential; undefined takes one away. */
export interface CredentialChange {
  /** By default the world's issuer. */
  readonly issuer?: Party
  /** By default the issuer's own. */
  readonly signer?: Pick<Party, 'kid' | 'privateKey'>
  /** Unix seconds; by default the order's time. */
  readonly issuedAt?: number
  /** Unix seconds; by default a year later. */
  readonly validUntil?: number
  /** In the status list; by default one that is not revoked. */
  readonly statusIndex?: number
  readonly header?: Readonly<Record<string, unknown>>
  /** Claims of the JWT beside `vc`. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly vc?: Readonly<Record<string, unknown>>
  readonly subject?: Readonly<Record<string, unknown>>
  readonly mandate?: Readonly<Record<string, unknown>>
  /** What is done to the credential once it is signed. */
  readonly afterwards?: (credential: string) => string
}

const year = 365 * 86_400

/** Indexes of the status lists that the kit publishes. */
export const goodIndex = 7
export const revokedIndex = 13

/** Issues a credential as the trust world's issuer does, with the given changes. */
export function issueCredential(order: CredentialOrder, change: CredentialChange = {}): string {
  const { world, holderDid, now, statusListUrl } = order
  const { issuer = world.issuer, signer = issuer, issuedAt = now } = change
  const { statusIndex: index = goodIndex, validUntil = issuedAt + year } = change
  const { vc, ...claims } = createLearCredential({
    id: `urn:uuid:${randomUUID()}`,
    issuerDid: issuer.did,
    holderDid,
    mandate,
    termsOfUseUrl: createTermsOfUseUrl(world.policy.tirBaseUrl, issuer),
    ...(statusListUrl && { credentialStatus: createStatusEntry({ statusListUrl, index }) }),
    now: issuedAt,
    validUntil,
  })
  const credentialSubject = {
    ...vc.credentialSubject,
    mandate: { ...vc.credentialSubject.mandate, ...change.mandate },
    ...change.subject,
  }
  const payload = { ...claims, vc: { ...vc, credentialSubject, ...change.vc }, ...change.claims }
  const credential = world.sign(payload, signer, change.header)
  return change.afterwards?.(credential) ?? credential
}

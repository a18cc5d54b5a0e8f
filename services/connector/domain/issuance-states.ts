/**
 * The states of an offer:
 * - `offered`: its code has not been redeemed;
 * - `redeemed`: the code was exchanged for an access token;
 * - `ended`: withdrawn, or too many wrong PINs.
 */
export type OfferState = 'offered' | 'redeemed' | 'ended'

/**
 * The states of each of its credentials, after the wallet has requested it:
 * - `deferred`: the wallet has proved possession of its key and polls;
 * - `signed`: the credential exists; it may or may not have reached the wallet;
 * - `delivered`: the response with the credential was sent;
 * - `ended`: revoked before it existed.
 */
export type CredentialState = 'deferred' | 'signed' | 'delivered' | 'ended'

/**
 * The allowed states before each step of an offer; each step is one conditional UPDATE, so that one
 * wins.
 */
export const offerSteps = {
  redeem: { from: ['offered'], to: 'redeemed' },
  end: { from: ['offered', 'redeemed'], to: 'ended' },
} as const satisfies Record<
  string,
  { readonly from: readonly OfferState[]; readonly to: OfferState }
>

/** The same for a credential; `requested` is the state before the wallet's first request. */
export const credentialSteps = {
  defer: { from: ['requested'], to: 'deferred' },
  sign: { from: ['requested', 'deferred'], to: 'signed' },
  deliver: { from: ['signed'], to: 'delivered' },
  end: { from: ['requested', 'deferred'], to: 'ended' },
} as const satisfies Record<
  string,
  { readonly from: readonly (CredentialState | 'requested')[]; readonly to: CredentialState }
>

/** True if nothing may be issued any more: the offer has ended, or was revoked. */
export function isWithdrawn({
  state,
  revoked,
}: {
  readonly state: OfferState | CredentialState
  readonly revoked: number
}): boolean {
  return state === 'ended' || revoked === 1
}

/**
 * What becomes of an offer:
 * - `offered`: nobody has redeemed its code;
 * - `redeemed`: the code was exchanged for an access token;
 * - `ended`: withdrawn, or too many wrong PINs.
 */
export type OfferState = 'offered' | 'redeemed' | 'ended'

/**
 * What becomes of each of its credentials, once the wallet has asked for it:
 * - `deferred`: the wallet has proved its key and polls;
 * - `signed`: the credential is made; it may or may not have reached the wallet;
 * - `delivered`: the answer with the credential went out;
 * - `ended`: revoked before it was made.
 */
export type CredentialState = 'deferred' | 'signed' | 'delivered' | 'ended'

/** From which states an offer takes each step; each is one conditional UPDATE, so that one wins. */
export const offerSteps = {
  redeem: { from: ['offered'], to: 'redeemed' },
  end: { from: ['offered', 'redeemed'], to: 'ended' },
} as const satisfies Record<
  string,
  { readonly from: readonly OfferState[]; readonly to: OfferState }
>

/** Likewise for a credential; `requested` is one that the wallet has not asked for before. */
export const credentialSteps = {
  defer: { from: ['requested'], to: 'deferred' },
  sign: { from: ['requested', 'deferred'], to: 'signed' },
  deliver: { from: ['signed'], to: 'delivered' },
  end: { from: ['requested', 'deferred'], to: 'ended' },
} as const satisfies Record<
  string,
  { readonly from: readonly (CredentialState | 'requested')[]; readonly to: CredentialState }
>

/** True where nothing may be handed out any more: it has ended, or is revoked. */
export function isWithdrawn({
  state,
  revoked,
}: {
  readonly state: OfferState | CredentialState
  readonly revoked: number
}): boolean {
  return state === 'ended' || revoked === 1
}

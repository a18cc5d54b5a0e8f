/**
 * What becomes of an issuance:
 * - `offered`: there is an offer whose code nobody has redeemed;
 * - `redeemed`: the code was exchanged for an access token;
 * - `deferred`: the wallet has proved its key and polls;
 * - `signed`: the credential is made; it may or may not have reached the wallet;
 * - `delivered`: the answer with the credential went out;
 * - `ended`: revoked, or too many wrong PINs.
 */
export type IssuanceState = 'offered' | 'redeemed' | 'deferred' | 'signed' | 'delivered' | 'ended'

/** From which states each step may be taken; each is one conditional UPDATE, so that one wins. */
export const issuanceSteps = {
  redeem: { from: ['offered'], to: 'redeemed' },
  defer: { from: ['redeemed'], to: 'deferred' },
  sign: { from: ['redeemed', 'deferred'], to: 'signed' },
  deliver: { from: ['signed'], to: 'delivered' },
  end: { from: ['offered', 'redeemed', 'deferred'], to: 'ended' },
} as const satisfies Record<
  string,
  { readonly from: readonly IssuanceState[]; readonly to: IssuanceState }
>

/** True where nothing may be handed out any more: the issuance has ended, or is revoked. */
export function isWithdrawn({
  state,
  revoked,
}: {
  readonly state: IssuanceState
  readonly revoked: number
}): boolean {
  return state === 'ended' || revoked === 1
}

export interface WhatTargetOffers {
  /** The kit as the wallet reaches it. */
  readonly origin: string
  readonly curves: readonly string[]
  readonly deferralPatienceSeconds?: number | undefined
}

/** Why a target does not offer what a check needs, and what to add to it; undefined where it does. */
export function missingNeed(
  need: string,
  { origin, curves, deferralPatienceSeconds }: WhatTargetOffers,
): string | undefined {
  if (need === 'https' && !origin.startsWith('https:')) {
    return 'It needs a kit that the wallet reaches by https: put a proxy or a tunnel before it and name its address in kit.publicUrl.'
  }
  if (need === 'curves' && curves.length < 2) {
    return 'It needs a wallet whose account may be of either curve: add `curves: [secp256k1, Ed25519]` and give the verb reset the placeholder {curve}.'
  }
  if (need === 'deferral-patience' && deferralPatienceSeconds === undefined) {
    return 'It needs to know when a wallet that waits for a deferred credential gives up: add deferralPatienceSeconds.'
  }
  return undefined
}

import type { Portal } from '../open-portal.ts'

/** A portal whose representative is signed in. */
export interface SignedInPortal {
  readonly portal: Portal
  readonly headers: { readonly authorization: string }
}

/** Signs the representative in, with a token of their own. */
export async function signIn(portal: Portal): Promise<SignedInPortal> {
  return { portal, headers: { authorization: `Bearer ${await portal.createBearerToken()}` } }
}

import { z } from 'zod'
import type { Hop } from '#kit/traces.ts'

/** A login page that waits for a wallet. */
export interface PendingLogin {
  /** Id of the session at the verifier. */
  readonly sessionId: string
  /** The openid4vp: link of the page's QR code. */
  readonly link: string
  /** Unix time in milliseconds. */
  readonly startedAt: number
  /** Unix seconds. */
  readonly expiresAt: number
  /** `state` of the relying party's authorization request, if it was recorded. */
  readonly state?: string
  /** Id of the relying party, if it was recorded. */
  readonly clientId?: string
}

const zStarted = z.object({
  session_id: z.string(),
  request_uri: z.string(),
  authorization_request: z.string(),
  expires_at: z.number(),
})

/** The id of an IDP's login in `/accounts/interaction/ID`. */
const interactionIn = (text: unknown): string | undefined =>
  /\/accounts\/interaction\/([\w-]+)/.exec(String(text))?.[1]

/**
 * Finds the logins that wait for a wallet in the recorded exchanges: what a person would scan from
 * the screen. Newest first. A login with an answered request is not pending.
 *
 * @param now Unix seconds
 * @param verifierUrl of the environment
 */
export function findPendingLogins(
  hops: readonly Hop[],
  now: number,
  verifierUrl: string,
): readonly PendingLogin[] {
  const begun = new Map<string, URLSearchParams>()
  const answered = new Set<string>()
  const pending: PendingLogin[] = []
  for (const { to, method, url, status, at, requestBody, responseBody, responseHeaders } of hops) {
    if (to === 'idp' && url.startsWith('/accounts/authorize?')) {
      const interaction = interactionIn(responseHeaders?.location)
      const { searchParams } = new URL(url, 'http://idp')
      if (interaction !== undefined) begun.set(interaction, searchParams)
    }
    const answer = /^\/responses\/([\w-]+)/.exec(url)?.[1]
    if (to === 'verifier' && answer !== undefined && status === 200) answered.add(answer)
    if (to !== 'verifier' || method !== 'POST' || url !== '/sessions' || status !== 201) continue
    const started = zStarted.safeParse(responseBody)
    if (!started.success || !started.data.request_uri.startsWith(`${verifierUrl}/`)) continue
    const { session_id: sessionId, authorization_request: link, expires_at } = started.data
    const { redirect_uri: redirectUri } = (requestBody ?? {}) as { redirect_uri?: unknown }
    const parameters = begun.get(interactionIn(redirectUri) ?? '')
    const [state, clientId] = ['state', 'client_id'].map((name) => parameters?.get(name))
    pending.push({
      sessionId,
      link,
      startedAt: at,
      expiresAt: expires_at,
      ...(state && { state }),
      ...(clientId && { clientId }),
    })
  }
  return pending
    .filter(({ expiresAt, link }) => expiresAt > now && !answered.has(idOf(link)))
    .reverse()
}

/** The last segment of the request's address. */
const idOf = (link: string) => decodeURIComponent(link).split('/').at(-1) ?? ''

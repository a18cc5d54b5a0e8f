import { z } from 'zod'
import type { Hop } from '#kit/traces.ts'

/** Why the IDP did not confirm a login: the verdict of the verifier on the presentation. */
export interface Refusal {
  /** Id of the session at the verifier. */
  readonly sessionId: string
  readonly broken: readonly { readonly rule: string; readonly reason: string }[]
  /** Services that did not respond. */
  readonly unavailable: readonly string[]
}

const zSession = z.object({ session_id: z.string() })
const zRedirect = z.object({ redirect_uri: z.string() })
const zVerdict = z.object({
  session_id: z.string(),
  status: z.literal('FAILED'),
  failures: z.array(z.object({ rule: z.string(), reason: z.string() })).default([]),
  unavailable: z.array(z.string()).default([]),
})

/**
 * Finds the last rejected presentation of a login in the recorded exchanges: the request with this
 * `state`, the IDP's sessions at the verifier for it, then their verdicts. Undefined if nothing was
 * rejected, or if the exchanges are no longer kept.
 */
export function findRefusal(hops: readonly Hop[], state: string): Refusal | undefined {
  const request = hops.find(({ to, url }) => to === 'idp' && stateOf(url) === state)
  const page = request?.responseHeaders?.location
  if (page === undefined) return undefined
  const sessions = hops.flatMap(({ from, to, requestBody, responseBody }) => {
    const redirect = zRedirect.safeParse(requestBody).data?.redirect_uri
    const isOfLogin = from === 'idp' && to === 'verifier' && redirect?.includes(`${page}/`)
    return isOfLogin ? (zSession.safeParse(responseBody).data?.session_id ?? []) : []
  })
  const verdicts = hops.flatMap(({ from, to, requestBody }) =>
    from === 'verifier' && to === 'idp' ? (zVerdict.safeParse(requestBody).data ?? []) : [],
  )
  const last = verdicts.findLast((verdict) => sessions.includes(verdict.session_id))
  return (
    last && { sessionId: last.session_id, broken: last.failures, unavailable: last.unavailable }
  )
}

const stateOf = (url: string): string | null =>
  new URL(url, 'http://idp.invalid').searchParams.get('state')

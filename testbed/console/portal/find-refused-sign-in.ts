import { z } from 'zod'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import type { Hop } from '#kit/traces.ts'
import { createEnvironmentFinder, isShownIn } from '../exchanges/environment-of-hop.ts'

const zVerdict = z.object({ session_id: z.string(), status: z.literal('FAILED') })

/**
 * Finds the last login that was rejected: a password by the token issuer, or a presentation by
 * the verifier. Returns the path of the page that explains it; if there is none, that of the list
 * of rejected logins.
 */
export function findRefusedSignIn(hops: readonly Hop[], environment: string): string {
  const environmentOf = createEnvironmentFinder()
  const paths = hops.flatMap((hop) => {
    if (!isShownIn(environment, environmentOf(hop))) return []
    const { id, from, to, url, requestBody } = hop
    if (to === 'token-issuer' && url.startsWith('/login/') && explainRefusedRequest(hop)) {
      return `/exchanges?env=${environment}&journey=all&exchange=${id}`
    }
    const isVerdict = from === 'verifier' && to === 'idp'
    const session = isVerdict ? zVerdict.safeParse(requestBody).data?.session_id : undefined
    return session === undefined ? [] : `/sessions/${environment}/${encodeURIComponent(session)}`
  })
  return paths.at(-1) ?? `/sessions?env=${environment}&status=FAILED`
}

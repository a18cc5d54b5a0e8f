import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'

/**
 * An endpoint that browsers reach by GET, for POST too (OpenID Connect Core 3.1.2.1, RP-Initiated
 * Logout 1.0, 2): leads the browser to the same address with the form as its query. oidc-provider
 * takes the form itself only with cookies that other sites' forms send too, which need https.
 *
 * @assumption A-57
 */
export function postAsGet<Dependencies>(path: string): AnyRoute<Dependencies> {
  return defineRoute<Dependencies>()({
    method: 'post',
    path,
    summary: 'The same as GET, with the parameters as a form',
    auth: 'none',
    request: {
      contentTypes: ['application/x-www-form-urlencoded'],
      // It has to fit into an address.
      limit: 8192,
      body: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
    },
    responses: { 303: { description: 'To the same address, with the parameters as its query' } },
    errors: ['invalid_request', 'unsupported_media_type', 'payload_too_large'],
    handle({ body }) {
      const query = new URLSearchParams()
      // A parameter that was sent twice stays so: the endpoint has to refuse it.
      for (const [name, values] of Object.entries(body)) {
        for (const value of [values].flat()) query.append(name, value)
      }
      const headers = { location: `${path}?${query}`, 'cache-control': 'no-store' }
      return { status: 303, headers }
    },
  })
}

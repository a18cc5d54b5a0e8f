import type { Request } from 'express'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { page, seeOther } from '#kit/page.ts'
import { requestAddress } from '#kit/read-request.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { type ConsoleDependencies, sessionOf } from '../dependencies.ts'
import { bareFrameOf, type PageContext } from '../frame/define-page.ts'
import { demoClients } from './create-sign-ins.ts'
import { returnedTexts, startTexts } from './texts.ts'

const zParams = z.object({ env: z.string().max(64), client: z.enum(demoClients) })

/** Other clients may be registered with a redirect address of the console. */
const zAnyClient = z.object({ env: z.string(), client: z.string() })

/** What a provider returns to a redirect address (RFC 6749, 4.1.2; RFC 9207). */
const zReturned = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
})

/**
 * The redirect address of the demo clients. It completes a login that this browser started in the
 * console. Tests and example programs use the same address with their own `state`: it shows them
 * what was returned, also without the console's cookie, and leaves the code unused.
 */
const receiveCallback = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/callback/:env/:client',
  summary: 'Redirect address of the demo clients',
  auth: 'none',
  documented: false,
  request: { params: zAnyClient, query: zReturned },
  responses: {
    200: { description: 'What the provider returned' },
    303: { description: 'To the page of the demo client that completed the sign-in' },
  },
  async handle({ params, query, request }, dependencies) {
    const { signIns, environments } = dependencies
    const { state } = query
    const demo = zParams.safeParse(params).data
    const running = environments.get(params.env)
    const session = sessionOf(request, dependencies)
    if (demo && running && session !== undefined && state !== undefined) {
      const { search } = requestAddress(request)
      if (await signIns.finish({ client: demo.client, running, session }, state, search)) {
        return seeOther(`/${demo.client}?env=${demo.env}`)
      }
    }
    return returnedPage(request, query, state !== undefined && signIns.knows(state))
  },
})

/** @param isElsewhere whether another browser started the login in the console */
function returnedPage(
  request: Request,
  returned: z.output<typeof zReturned>,
  isElsewhere: boolean,
): Reply {
  const frame = bareFrameOf(request)
  const texts = returnedTexts[frame.language]
  const hasCode = returned.code !== undefined
  const members = Object.entries(returned).filter(([, value]) => value !== undefined)
  const explanation = isElsewhere ? texts.elsewhere : hasCode ? texts.unused : texts.noCode
  const member = ([name, value]: (typeof members)[number]): SafeHtml =>
    html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`
  return page({
    ...frame,
    title: texts.title,
    stylesheet: '/assets/console.css',
    body: html`<main class="closed">
<h1>${hasCode ? texts.succeeded : texts.failed}</h1>
<p>${explanation}</p>
<dl class="card">${members.map(member)}</dl>
<p><a href="/">${texts.console}</a></p>
</main>`,
  })
}

/** Signs out of a demo client. */
const signOut = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/sign-ins/:env/:client',
  summary: 'Log out of a demo client',
  auth: 'control',
  documented: false,
  request: { params: zParams },
  responses: {
    200: {
      description: 'Signed out; `location` is where the browser ends the session of the provider',
      body: z.object({ location: z.string().optional() }),
    },
  },
  handle({ params: { env, client }, request }, dependencies) {
    const running = findEnvironment(dependencies, env)
    const session = sessionOf(request, dependencies)
    const before =
      session === undefined ? undefined : dependencies.signIns.forget({ client, running, session })
    const location = before?.outcome === 'signed-in' ? before.endSessionUrl : undefined
    return { status: 200, body: { ...(location !== undefined && { location }) } }
  },
})

export const signInRoutes: readonly AnyRoute<ConsoleDependencies>[] = [receiveCallback, signOut]

/**
 * Rejects the start of a login by a page of another origin: a link, an image or a frame. The
 * cookie's SameSite attribute does not, because pages of other ports are of the same site. For an
 * address that a person typed or a program opened, browsers send `none`.
 *
 * @see Fetch Metadata Request Headers, `Sec-Fetch-Site`
 * @throws TestbedError `foreign_origin` (403)
 */
export function requireOwnPage({
  request,
  language,
}: Pick<PageContext<unknown, unknown>, 'request' | 'language'>): void {
  const site = request.get('sec-fetch-site')
  if (site !== 'cross-site' && site !== 'same-site') return
  const message = startTexts[language].foreignPage
  throw new TestbedError({ code: 'foreign_origin', status: 403, message })
}

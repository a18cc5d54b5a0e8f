import type { Request } from 'express'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zPowers } from '#core/power/power.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { languageOf } from '#kit/language.ts'
import { seeOther } from '#kit/page.ts'
import type { Hop } from '#kit/traces.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { type ConsoleDependencies, sessionOf } from '../dependencies.ts'
import { createEnvironmentFinder, isShownIn } from '../exchanges/exchange-log.ts'
import { definePage } from '../frame/define-page.ts'
import { requireOwnPage } from '../sign-in/routes.ts'
import { portalPage, signInPage } from './page.ts'
import type { PortalUser } from './portal.ts'
import { portalTexts } from './texts.ts'

const client = 'portal'

const visitorOf = (
  request: Request,
  running: RunningEnvironment,
  dependencies: ConsoleDependencies,
) => ({ client, running, session: sessionOf(request, dependencies) ?? '' }) as const

/** The portal: its login page, or the orders and credentials of the user's organization. */
const showPortal = definePage({
  path: '/portal',
  section: 'portal',
  summary: 'The issuance portal',
  query: z.looseObject({
    state: z.enum(['pending', 'issued', 'revoked', 'expired']).optional().catch(undefined),
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  }),
  async render({ frame, running, request, language, query }, dependencies) {
    const visitor = visitorOf(request, running, dependencies)
    const result = dependencies.signIns.read(visitor)
    const isCurrent =
      result?.outcome === 'signed-in' && result.expiresAt > dependencies.clock.seconds()
    if (!isCurrent) return signInPage(frame, running, result)
    const user: PortalUser = { visitor, signedIn: result, language }
    return portalPage(frame, user, dependencies.portal, query)
  },
})

/** Where a rejected login leads: to the exchange, or the login, with the broken rule. */
const showRefusedSignIn = definePage({
  path: '/portal/refused',
  section: 'portal',
  summary: 'The reason of the last rejected login',
  async render({ running }, { traces }) {
    await running.collectHops()
    return seeOther(findRefusedSignIn(traces.since(0), running.environment))
  },
})

/** Starts a login: redirects the browser to the token issuer. */
const startSignIn = definePage({
  path: '/portal/sign-in',
  section: 'portal',
  summary: 'Log in at the portal',
  query: z.looseObject({ user: z.string().max(320).optional().catch(undefined) }),
  async render({ language, running, request, query }, dependencies) {
    requireOwnPage({ request, language })
    const visitor = visitorOf(request, running, dependencies)
    const options = { language, loginHint: query.user }
    const address = await dependencies.signIns.begin(visitor, options)
    return seeOther(address ?? `/portal?env=${running.environment}`)
  },
})

const zEnvironment = z.object({ env: z.string().max(64) })
const zName = z.string().max(256)
const done = { 204: { description: 'Done' } }

/** @throws TestbedError `not_signed_in` (409) */
function requireUser(
  request: Request,
  environment: string,
  dependencies: ConsoleDependencies,
): PortalUser {
  const running = findEnvironment(dependencies, environment)
  const language = languageOf(request)
  const visitor = visitorOf(request, running, dependencies)
  const signedIn = dependencies.signIns.read(visitor)
  if (signedIn?.outcome === 'signed-in') return { visitor, signedIn, language }
  const message = portalTexts[language].notSignedIn
  throw new TestbedError({ code: 'not_signed_in', status: 409, message })
}

const orderOwn = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/portal/:env/representative',
  summary: 'Request the own credential of the user of the portal',
  auth: 'control',
  documented: false,
  request: { params: zEnvironment, body: z.strictObject({ power: zPowers }) },
  responses: done,
  async handle({ params, body, request }, dependencies) {
    const user = requireUser(request, params.env, dependencies)
    await dependencies.portal.orderOwn(user, body.power)
    return { status: 204 }
  },
})

const orderForEmployee = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/portal/:env/employee',
  summary: 'Request a credential for an employee',
  auth: 'control',
  documented: false,
  request: {
    params: zEnvironment,
    body: z.strictObject({
      email: z.string().max(254),
      power: zPowers,
      firstName: zName.min(1),
      lastName: zName.min(1),
      employeeId: zName.optional(),
      language: z.enum(['en', 'es']).optional(),
    }),
  },
  responses: done,
  async handle({ params, body, request }, dependencies) {
    const user = requireUser(request, params.env, dependencies)
    await dependencies.portal.orderForEmployee(user, body)
    return { status: 204 }
  },
})

const revoke = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/portal/:env/revocations',
  summary: 'Revoke a credential as the user of the portal',
  auth: 'control',
  documented: false,
  request: { params: zEnvironment, body: z.strictObject({ credential_id: z.string().max(64) }) },
  responses: done,
  async handle({ params, body, request }, dependencies) {
    const user = requireUser(request, params.env, dependencies)
    await dependencies.portal.revoke(user, body.credential_id)
    return { status: 204 }
  },
})

const zVerdict = z.object({ session_id: z.string(), status: z.literal('FAILED') })

/**
 * Finds the last login that was rejected: a password by the token issuer, or a presentation by
 * the verifier. Returns the path of the page that explains it; if there is none, that of the list
 * of rejected logins.
 */
function findRefusedSignIn(hops: readonly Hop[], environment: string): string {
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

export const portalRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showPortal,
  showRefusedSignIn,
  startSignIn,
  orderOwn,
  orderForEmployee,
  revoke,
]

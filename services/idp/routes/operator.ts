import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { requireLoopback } from '../admin/admin-links.ts'
import type { Dependencies } from '../dependencies.ts'
import { noAdministrator, unknownLogin } from '../errors.ts'
import { describeLogin, describeLogins, readClientNames } from '../operations/describe-login.ts'

const zDescription = z.looseObject({
  code: z.string(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']),
})

/** The verification sessions for the operator's console, newest first. */
export const listExplainedSessions = defineRoute<Dependencies>()({
  method: 'get',
  path: '/idp/api/operator/sessions',
  summary: 'Verification sessions with person, organization and reason',
  auth: 'operator',
  documented: false,
  request: {
    query: z.object({
      status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional(),
      page: z.coerce.number().int().min(0).max(10_000).default(0),
    }),
  },
  responses: {
    200: {
      description: 'A page of 25 sessions; pages count from 0',
      body: z.object({ sessions: z.array(zDescription), hasMore: z.boolean() }),
    },
  },
  async handle({ query: { status, page } }, dependencies) {
    const { logins, hasMore } = await dependencies.logins.list(page, status)
    const sessions = await describeLogins(logins, dependencies)
    return { status: 200, body: { sessions: [...sessions], hasMore } }
  },
})

/**
 * One verification session with the basis of its verdict, by its code or by its id at the
 * verification service, which recorded exchanges show.
 */
export const getExplainedSession = defineRoute<Dependencies>()({
  method: 'get',
  path: '/idp/api/operator/sessions/:code',
  summary: 'A verification session with its explanation',
  auth: 'operator',
  documented: false,
  request: { params: z.object({ code: z.string().regex(/^[\w-]{1,128}$/) }) },
  responses: {
    200: {
      description:
        'The session; `explanation` is null without a presentation, `unavailable` if the verification service sent none',
      body: z.object({ session: zDescription, explanation: z.unknown() }),
    },
  },
  errors: ['not_found'],
  invalidInput: unknownLogin,
  async handle({ params }, dependencies) {
    const { logins, verifier, runtime } = dependencies
    const login =
      (await logins.findByCode(params.code)) ?? (await logins.findByVerifierSession(params.code))
    if (login === undefined) throw unknownLogin()
    const explanation = await verifier.explain(login.verifier_session_id)
    const now = runtime.clock.seconds()
    const clientNames = await readClientNames(dependencies)
    const session = { ...describeLogin(login, { clientNames, explanation, now }) }
    return { status: 200, body: { session, explanation: explanation ?? null } }
  },
})

/** Creates a link that opens the admin panel once, within a minute, on this machine. */
export const createAdminLink = defineRoute<Dependencies>()({
  method: 'post',
  path: '/idp/api/operator/admin-links',
  summary: 'A one-time link to the admin panel',
  auth: 'operator',
  documented: false,
  responses: { 201: { description: 'The link', body: z.object({ url: z.url() }) } },
  errors: ['not_loopback', 'no_administrator'],
  handle({ request }, { admin, config, log }) {
    requireLoopback(request)
    const username = config.admin?.username
    if (username === undefined) throw noAdministrator()
    log.info({ admin: username }, 'a one-time link to the admin panel was created')
    const url = `${config.baseUrl}/admin/open?code=${admin.links.create(username)}`
    return { status: 201, body: { url } }
  },
})

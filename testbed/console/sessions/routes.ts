import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { createNames, namesOfWallets } from '../names.ts'
import { sessionListPage } from './list-page.ts'
import { sessionPage } from './page.ts'
import { createAdminLink, listSessions, readSession } from './read-sessions.ts'

const zQuery = z.object({
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional().catch(undefined),
  page: z.coerce.number().int().min(0).max(10_000).catch(0).default(0),
})

/** The logins at the IDP. */
const showSessions = definePage({
  path: '/sessions',
  room: 'sessions',
  summary: 'Verification sessions',
  query: zQuery,
  async render({ frame, running, query }) {
    const list = await listSessions(running, query)
    return sessionListPage(frame, { ...list, ...query })
  },
})

/**
 * One login with the basis of its verdict, by its code or its id at the verifier: the page to which
 * a failed login leads.
 */
const showSession = definePage({
  path: '/sessions/:env/:code',
  room: 'sessions',
  summary: 'A verification session, rule by rule',
  params: z.object({ env: z.string().max(64), code: z.string().max(128) }),
  async render({ frame, params: { env, code } }, dependencies) {
    const running = findEnvironment(dependencies, env)
    const { context, environment } = running
    const explained = await readSession(running, code)
    const wallets = await namesOfWallets(dependencies.wallets, environment)
    const names = createNames(frame.language, context, wallets)
    return sessionPage({ ...frame, environment }, { ...explained, names })
  },
})

/** Opens the IDP's admin panel without its password. */
const openAdminPanel = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/admin-links/:env',
  summary: 'A one-time link to the admin panel of the IDP',
  auth: 'control',
  documented: false,
  request: { params: z.object({ env: z.string().max(64) }) },
  responses: {
    201: {
      description: '`location` opens the panel once, within a minute, on this machine',
      body: z.object({ location: z.url() }),
    },
  },
  async handle({ params: { env } }, dependencies) {
    const location = await createAdminLink(findEnvironment(dependencies, env))
    return { status: 201, headers: { 'cache-control': 'no-store' }, body: { location } }
  },
})

export const sessionRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showSessions,
  showSession,
  openAdminPanel,
]

import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { seeOther } from '#kit/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { usedLink } from '../errors.ts'
import { requireLoopback } from './admin-links.ts'
import { readSessionCookie, sessionCookie } from './admin-session.ts'
import { answerAdmin } from './define-admin-route.ts'

/** Target of a one-time link: starts a session of the panel and redirects to its first page. */
export const openAdminPanel = defineRoute<Dependencies>()({
  method: 'get',
  path: '/admin/open',
  summary: 'Open the admin panel with a one-time link',
  auth: 'none',
  documented: false,
  request: { query: z.object({ code: z.string().max(128).default('').catch('') }) },
  responses: {
    303: { description: 'Redirect to the panel' },
    401: { description: 'The link was used or has expired' },
  },
  handle: ({ query, request }, dependencies) =>
    answerAdmin(request, dependencies, async () => {
      const { config, admin, log } = dependencies
      requireLoopback(request)
      const username = admin.links.redeem(query.code)
      if (username === undefined) throw usedLink()
      await admin.sessions.end(readSessionCookie(request, config.baseUrl) ?? '')
      const session = await admin.sessions.create(username)
      log.info({ admin: username }, 'logged in to the admin panel with a one-time link')
      return seeOther('/admin/', { 'set-cookie': sessionCookie(session, config.baseUrl) })
    }),
})

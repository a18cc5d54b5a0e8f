import { z } from 'zod'
import { defineAdminPage } from '../define-admin-page.ts'
import { sessionListPage } from '../pages/session-list-page.ts'
import { readClientNames } from './read-client-names.ts'

const zQuery = z.object({
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional().catch(undefined),
  page: z.coerce.number().int().min(0).max(10_000).catch(0).default(0),
})

/** The verification sessions. */
export const showSessions = defineAdminPage({
  path: '/admin/sessions',
  summary: 'Verification sessions',
  async handle({ session, query }, dependencies) {
    const { status, page } = zQuery.parse(query)
    return sessionListPage({
      session,
      list: await dependencies.logins.list(page, status),
      status,
      page,
      clientNames: await readClientNames(dependencies),
      now: dependencies.runtime.clock.seconds(),
    })
  },
})

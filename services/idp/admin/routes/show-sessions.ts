import { z } from 'zod'
import { listLogins } from '../../adapters/list-logins.ts'
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
    const now = dependencies.runtime.clock.seconds()
    return sessionListPage({
      session,
      list: await listLogins(dependencies.database, { now, status, page }),
      status,
      page,
      clientNames: await readClientNames(dependencies),
      now,
    })
  },
})

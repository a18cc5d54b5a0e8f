import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { zExplanation } from '../domain/z-explanation.ts'
import { unknownSession } from '../errors.ts'
import { zSessionParams } from './z-session-params.ts'

const zSession = z.object({
  session_id: z.string(),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']),
  credential_type: z.string(),
  created_at: z.int(),
  expires_at: z.int(),
  decided_at: z.int().nullable(),
  reported_at: z.int().nullable().describe('When the IDP confirmed the verdict'),
  explanation: zExplanation
    .nullable()
    .describe('What was presented, fetched and decided, rule by rule; null where nothing was'),
})

/** For the operator: what a session's verdict rests on. Wallets never see it. */
export const getSession = defineRoute<Dependencies>()({
  method: 'get',
  path: '/sessions/:id',
  summary: 'A session with its explanation',
  auth: 'apiKey',
  request: { params: zSessionParams },
  responses: { 200: { description: 'The session', body: zSession } },
  errors: ['invalid_api_key', 'not_found'],
  invalidInput: unknownSession,
  async handle({ params }, { sessions, runtime }) {
    const session = await sessions.find('session_id', params.id)
    if (!session) throw unknownSession()
    const isOver = session.expires_at <= runtime.clock.seconds()
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        session_id: session.session_id,
        status: session.status === 'PENDING' && isOver ? 'FAILED' : session.status,
        credential_type: session.credential_type,
        created_at: session.created_at,
        expires_at: session.expires_at,
        decided_at: session.decided_at,
        reported_at: session.reported_at,
        explanation: session.explanation === null ? null : JSON.parse(session.explanation),
      },
    }
  },
})

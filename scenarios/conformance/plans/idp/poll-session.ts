import { requireJson } from '../../classify-answer.ts'
import { pollUntil } from '../../poll-until.ts'
import type { IdpContext } from './context.ts'

type Polling = Pick<IdpContext, 'httpAs' | 'target' | 'baseUrl' | 'signal'>

/** The status of a session (Document 1, GET /idp/api/auth/requests). */
export async function pollSession({ httpAs, baseUrl }: Polling, session: string): Promise<unknown> {
  const query = new URLSearchParams({ session })
  const answer = await httpAs('browser').request(`${baseUrl}/idp/api/auth/requests?${query}`)
  return requireJson(answer, 'Polling the session').status
}

/** Polls until a session has ended, or the target's patience has; gives the last status. */
export const awaitSessionEnd = (context: Polling, session: string): Promise<unknown> =>
  pollUntil({
    ask: () => pollSession(context, session),
    isDone: (status) => status !== 'PENDING',
    limitMilliseconds: context.target.patience * 1000,
    signal: context.signal,
  })

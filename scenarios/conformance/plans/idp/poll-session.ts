import { setTimeout as sleep } from 'node:timers/promises'
import { requireJson } from '../../classify-answer.ts'
import type { IdpContext } from './context.ts'

type Polling = Pick<IdpContext, 'httpAs' | 'target' | 'baseUrl' | 'signal'>

const shortestPause = 50
const longestPause = 1000

/** The status of a session (Document 1, GET /idp/api/auth/requests). */
export async function pollSession({ httpAs, baseUrl }: Polling, session: string): Promise<unknown> {
  const query = new URLSearchParams({ session })
  const answer = await httpAs('browser').request(`${baseUrl}/idp/api/auth/requests?${query}`)
  return requireJson(answer, 'Polling the session').status
}

/** Polls until a session has ended, or the target's patience has; gives the last status. */
export async function awaitSessionEnd(context: Polling, session: string): Promise<unknown> {
  const ends = performance.now() + context.target.patience * 1000
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const status = await pollSession(context, session)
    if (status !== 'PENDING' || performance.now() + pause > ends) return status
    await sleep(pause, undefined, { signal: context.signal })
  }
}

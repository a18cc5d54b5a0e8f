import { setTimeout as sleep } from 'node:timers/promises'
import { requireJson } from '../../classify-answer.ts'
import type { IdpContext } from './context.ts'

type Polling = Pick<IdpContext, 'httpAs' | 'target' | 'signal'>

/** The status of a session (Document 1, GET /idp/api/auth/requests). */
export async function pollSession({ httpAs, target }: Polling, session: string): Promise<unknown> {
  const query = new URLSearchParams({ session })
  const answer = await httpAs('browser').request(`${target.issuer}/idp/api/auth/requests?${query}`)
  return requireJson(answer, 'Polling the session').status
}

/** Polls until a session has ended, or the target's patience has; gives the last status. */
export async function awaitSessionEnd(context: Polling, session: string): Promise<unknown> {
  const ends = performance.now() + context.target.patience * 1000
  for (;;) {
    const status = await pollSession(context, session)
    if (status !== 'PENDING' || performance.now() > ends) return status
    await sleep(50, undefined, { signal: context.signal })
  }
}

import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import { pollUntil } from '../../kit/recorded-http.ts'
import type { IdpContext } from './context.ts'

type Polling = Pick<IdpContext, 'httpAs' | 'target' | 'baseUrl' | 'signal'>

/** Asks for the status of a session (Document 1, GET /idp/api/auth/requests). */
export function requestStatus(
  { httpAs, baseUrl }: Pick<Polling, 'httpAs' | 'baseUrl'>,
  session: string,
): Promise<HttpAnswer> {
  const query = new URLSearchParams({ session })
  return httpAs('browser').request(`${baseUrl}/idp/api/auth/requests?${query}`)
}

/** The status of a session. */
export const pollSession = async (polling: Polling, session: string): Promise<unknown> =>
  requireJson(await requestStatus(polling, session), 'Polling the session').status

/** Polls until a session has ended, or the target's patience has; gives the last status. */
export const awaitSessionEnd = (context: Polling, session: string): Promise<unknown> =>
  pollUntil({
    ask: () => pollSession(context, session),
    isDone: (status) => status !== 'PENDING',
    limitMilliseconds: context.target.patience * 1000,
    signal: context.signal,
  })

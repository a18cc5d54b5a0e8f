import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, type Finding } from '../../../kit/check.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential } from './ask-for-credential.ts'
import { expectRefused } from './expect-refused.ts'
import { reachAnswer } from './reach-answer.ts'
import { redeem } from './redeem.ts'

/**
 * As `expectRefused`, for what no client should send: a 5xx that comes twice, while a good request
 * between is served, is no outage but a crash by what was sent.
 */
export async function expectNoCrash(
  context: IssuerContext,
  what: string,
  send: () => Promise<HttpAnswer>,
): Promise<Finding> {
  const answer = await send()
  if (classifyStatus(answer.status) !== 'outage') return expectRefused(context, answer, { what })
  await reachAnswer('a good request', askForCredential(context, await redeem(context)))
  const again = await send()
  if (classifyStatus(again.status) !== 'outage') return expectRefused(context, again, { what })
  const { pathname } = new URL(again.url)
  return broken(`${what} was answered ${again.status} twice, and a good one between was served`, {
    expected: 'a 4xx',
    actual: again.status,
    verdictSource: `HTTP status of ${pathname}`,
    level: 'practice',
  })
}

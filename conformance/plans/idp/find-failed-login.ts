import { broken, type Finding, findEach, held, inconclusive } from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { type PresentationCase, sampleOf } from '../verifier/presentation-checks.ts'
import type { IdpContext } from './context.ts'
import { awaitSessionEnd, sessionCodeOf } from './sessions.ts'

const verdictSource = 'status of the session'

/** Checks that each presentation ends its own login as FAILED and without a code. */
export const findFailedLogins = (
  context: IdpContext,
  all: readonly PresentationCase[],
): Promise<Finding> =>
  findEach(context.isRepetition ? sampleOf(all) : all, (each) => findFailedLogin(context, each))

/** Checks that a presentation ends its login as FAILED and without a code. */
async function findFailedLogin(
  context: IdpContext,
  { what, ...presentation }: PresentationCase,
): Promise<Finding> {
  const login = await context.beginLogin()
  const session = sessionCodeOf(login.page)
  const answer = await context.present(login, presentation)
  const kind = classifyStatus(answer.status)
  if (answer.status === 0 || (kind !== 'accepted' && kind !== 'refused')) {
    return inconclusive(`${what} The presentation was not evaluated. ${answer.reason}`)
  }
  const status = await awaitSessionEnd(context, session)
  const { status: http, url } = await login.browser.get(login.page.url)
  if (http === 0 && new URL(url).searchParams.has('code')) {
    return broken(`${what} It led to a code.`, { verdictSource: 'redirect' })
  }
  if (status === 'PENDING') {
    return inconclusive(`${what} The session stayed PENDING. ${answer.reason}`, { verdictSource })
  }
  return status === 'FAILED'
    ? held(`${what} The login failed, and there was no code.`, { verdictSource })
    : broken(`${what} The session is ${status}, expected FAILED.`, {
        verdictSource,
        actual: status,
      })
}

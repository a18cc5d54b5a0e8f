import { classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { defer } from '../flow/defer.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** What was delivered may be noted after the answer has gone out. */
const mostPolls = 20

export const check = defineCheck<IssuerContext>({
  id: 'I70',
  title: 'After the delivery the acceptance_token is worth nothing',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, 9.1', 'OpenID4VCI 1.0, 9.3'],
  description: 'Whoever finds it in a log later fetches the credential as well.',
  sends: `POST /deferred_credential until the credential is there, and up to ${mostPolls} times after that.`,
  decides: 'One of these is answered 4xx.',
  needs: ['deferred'],
  timeLimitMilliseconds: 660_000,
  async run(context) {
    const deferred = await defer(context)
    await context.letPass(context.deferredSeconds + 1)
    let answer = await reachAnswer('the delivery', deferred.poll())
    for (let round = 0; round < mostPolls; round++) {
      if (classifyStatus(answer.status) !== 'accepted') break
      answer = await deferred.poll()
    }
    return findRefusal(answer, { what: 'The poll after the delivery' })
  },
})

import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { defer } from '../flow/defer.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { redeem } from '../flow/redeem.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I71',
  title: 'An acceptance_token is refused with the access token of another session',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, 9', 'OpenID4VCI 1.0, 9.3'],
  description: 'An access token says who asks: with another one it is somebody else who asks.',
  sends: 'POST /deferred_credential with the Bearer of another session that is good itself.',
  decides: 'It is answered 4xx, while with its own access token it is answered 202 or 200.',
  needs: ['deferred'],
  async run(context) {
    const deferred = await defer(context)
    const { token } = await redeem(context)
    const headers = { authorization: `Bearer ${token.accessToken}` }
    const finding = findRefusal(await deferred.poll({ headers }), {
      what: 'The poll with the access token of another session',
    })
    if (finding.kind !== 'held') return finding
    await reachAnswer('polling with its own access token', deferred.poll())
    return finding
  },
})

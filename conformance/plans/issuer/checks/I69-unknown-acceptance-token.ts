import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { allHeld } from '../flow/all-held.ts'
import { defer } from '../flow/defer.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I69',
  title: 'An acceptance_token that the issuer never gave out is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
  clauses: ['OpenID4VCI 1.0, 9.3'],
  description: 'A wallet that is told to wait for what will never come waits for ever.',
  sends: 'POST /deferred_credential with a token of its own making, and with none.',
  decides: 'Each is answered 4xx, while the good token is answered 202 or 200.',
  needs: ['deferred'],
  async run(context) {
    const deferred = await defer(context)
    const unknown = { acceptance_token: 'no-acceptance-token-0123456789' }
    const findings = [
      findRefusal(await deferred.poll({ json: unknown }), { what: 'An unknown acceptance_token' }),
      findRefusal(await deferred.poll({ json: {} }), { what: 'No acceptance_token' }),
    ]
    const wrong = findings.find(({ kind }) => kind !== 'held')
    if (wrong) return wrong
    await reachAnswer('polling with the good token', deferred.poll())
    return allHeld(findings)
  },
})

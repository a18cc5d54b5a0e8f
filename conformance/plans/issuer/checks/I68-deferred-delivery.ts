import { zImmediateCredentialResponse } from '#core/oid4vci/credential-response/z-credential-response.ts'
import { requireAnswer, requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { defer } from '../flow/defer.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I68',
  title: 'Polling is answered 202 until the credential is ready, then 200 with it',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.13',
    '1.states-and-transitions.8',
    '1.states-and-transitions.9',
  ],
  description: 'By the status alone a wallet knows whether to go on waiting.',
  sends: 'POST /deferred_credential at once, and again when the credential has to be ready.',
  decides: 'The first answer is 202, the second 200 with format and credential.',
  needs: ['deferred'],
  timeLimitMilliseconds: 660_000,
  async run(context) {
    const { deferredSeconds } = context
    const deferred = await defer(context)
    requireAnswer(await deferred.poll(), 'The poll before it is ready', [202])
    await context.letPass(deferredSeconds + 1)
    const answer = await deferred.poll()
    const json = requireJson(answer, `The poll after ${deferredSeconds + 1} seconds`)
    const result = zImmediateCredentialResponse.safeParse(json)
    const verdictSource = 'the answers of the deferred endpoint'
    return result.success
      ? held('202, and then the credential.', { verdictSource })
      : broken('The answer has not the shape of the credential endpoint.', {
          expected: ['format', 'credential'],
          actual: Object.keys(json),
          verdictSource,
        })
  },
})

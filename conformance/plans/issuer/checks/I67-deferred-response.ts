import { z } from 'zod'
import { requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { redeem } from '../flow/redeem.ts'
import type { IssuerContext } from '../issuer-context.ts'

const zDeferred = z.looseObject({
  acceptance_token: z.string().min(1),
  c_nonce: z.string().min(1),
  c_nonce_expires_in: z.int().positive(),
})

export const check = defineCheck<IssuerContext>({
  id: 'I67',
  title: 'A credential that is not ready is answered with an acceptance_token',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11'],
  clauses: ['OpenID4VCI 1.0, 8.3'],
  description: 'By the acceptance_token a wallet asks again; without it the offer is lost.',
  sends: 'The credential request as documented, for an offer whose credential takes its time.',
  decides:
    'The credential endpoint answers 200 or 202 with acceptance_token, c_nonce and c_nonce_expires_in as integer.',
  needs: ['deferred'],
  async run(context) {
    const session = await redeem(context, { kind: 'deferred' })
    const what = 'the credential request'
    const answer = await reachAnswer(what, askForCredential(context, session))
    const json = requireJson(answer, what, [200, 202])
    if ('credential' in json) {
      return inconclusive('The credential of create-deferred-offer was there at once.')
    }
    const result = zDeferred.safeParse(json)
    const verdictSource = 'the answer of the credential endpoint'
    if (result.success) return held('The answer is as documented.', { verdictSource })
    const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return broken(`The deferred response is not as documented: ${problems.join('; ')}.`, {
      expected: Object.keys(zDeferred.shape),
      actual: Object.keys(json),
      verdictSource,
    })
  },
})

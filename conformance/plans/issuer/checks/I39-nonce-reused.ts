import { createRequestBody } from '#scenarios/fixtures/create-request-body.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { expectRefused } from '../flow/expect-refused.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { redeem } from '../flow/redeem.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I39',
  title: 'A proof that brought a credential brings no other one',
  level: 'practice',
  expectation: 'refuse',
  rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
  clauses: ['OpenID4VCI 1.0, 13.8'],
  description:
    'Whoever recorded the request repeats it, and has the credential as well. OpenID4VCI 1.0 leaves to the issuer for how long a c_nonce is good.',
  sends: 'The same credential request twice, with the same proof.',
  decides: 'The first brings a credential; the second is answered 4xx.',
  async run(context) {
    const session = await redeem(context)
    const json = createRequestBody(session.wallet, session)
    await reachAnswer('the first request', askForCredential(context, session, { json }))
    return expectRefused(context, await askForCredential(context, session, { json }), {
      what: 'The same credential request once more',
    })
  },
})

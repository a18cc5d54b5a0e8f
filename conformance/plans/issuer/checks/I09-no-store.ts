import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { askForToken } from '../flow/ask-for-token.ts'
import { reachAnswer } from '../flow/reach-answer.ts'
import { readOffer } from '../flow/read-offer.ts'
import { redeem } from '../flow/redeem.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I09',
  title: 'Nobody on the way may keep tokens and credentials',
  level: 'final',
  expectation: 'advice',
  clauses: ['RFC 6749, 5.1', 'OpenID4VCI 1.0, 6.2'],
  description: 'A cache that keeps an answer hands the token, or the credential, to the next one.',
  sends: 'A token request and a credential request as documented.',
  decides:
    'Both answers carry Cache-Control with no-store. For the credential it is good practice: OpenID4VCI has it in examples alone.',
  async run(context) {
    const { resolved } = await readOffer(context)
    const session = await redeem(context)
    const token = await reachAnswer('the token request', askForToken(context, resolved))
    const credential = await reachAnswer(
      'the credential request',
      askForCredential(context, session),
    )
    for (const answer of [token, credential]) {
      const actual = answer.headers.get('cache-control')
      if (/\bno-store\b/i.test(actual ?? '')) continue
      const { pathname } = new URL(answer.url)
      const verdictSource = `Cache-Control of ${pathname}`
      return broken(`The answer of ${pathname} may be kept.`, {
        expected: 'no-store',
        actual,
        verdictSource,
        ...(answer === credential && { level: 'practice' }),
      })
    }
    return held('Both say no-store.', { verdictSource: 'Cache-Control of both answers' })
  },
})

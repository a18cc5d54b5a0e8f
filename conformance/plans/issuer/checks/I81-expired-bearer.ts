import { isDeepStrictEqual } from 'node:util'
import { asPremise } from '../../../kit/as-premise.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken } from '../../../kit/finding.ts'
import { requestOwnOffer } from '../flow/request-own-offer.ts'
import { signIn } from '../flow/sign-in.ts'
import { smallPower } from '../flow/small-power.ts'
import type { IssuerContext } from '../issuer-context.ts'

const documented = { error: 'Unauthorized', detail: 'invalid token' }

export const check = defineCheck<IssuerContext>({
  id: 'I81',
  title: 'An expired Bearer token is answered 401 with the documented body',
  level: 'spec',
  expectation: 'refuse',
  rows: ['1.errors.1', '1.authentication.1'],
  description: 'By this body a portal knows that its representative has to sign in again.',
  sends: 'POST /issuance/representative with a token that ended an hour ago.',
  decides: `The answer is 401 with ${JSON.stringify(documented)}, while a token that is good brings an offer.`,
  needs: ['portal'],
  async run(context) {
    const portal = context.portal()
    await asPremise('the request with a good token', requestOwnOffer(await signIn(portal)))
    const authorization = `Bearer ${await portal.createBearerToken({ expiresIn: -3600 })}`
    const json = { power: smallPower(portal) }
    const answer = await portal.post('representative', json, { authorization })
    const what = 'The request with an expired token'
    const finding = findRefusal(answer, { what, statuses: [401] })
    if (finding.kind !== 'held') return finding
    const { error, detail } = (answer.json ?? {}) as Record<string, unknown>
    if (isDeepStrictEqual({ error, detail }, documented)) return finding
    return broken(`${what} was refused with another body than the documented one`, {
      expected: documented,
      actual: answer.json ?? answer.text.slice(0, 300),
      verdictSource: 'the answer of /issuance/representative',
    })
  },
})

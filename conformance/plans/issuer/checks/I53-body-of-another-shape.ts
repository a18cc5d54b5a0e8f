import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineCheck, findEach } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, redeem } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I53',
  title: 'A request or proof that is not an object is rejected without a server error',
  level: 'spec',
  expectation: 'refuse',
  control: 'offer',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9', '1.endpoints.1'],
  clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
  description:
    'A client must not be able to cause a server error; a 5xx shows missing input validation.',
  sends:
    'The proof JWT itself as proof, a list, a number and null as proof, and the whole request in a list, each with a new offer.',
  decides:
    'The credential endpoint returns 4xx for each. A repeated 5xx, while a valid request succeeds, is a WARN.',
  fix: 'Validate that the body and proof are JSON objects before you read their members. Answer anything else with 400, not with a 5xx.',
  run(context) {
    return findEach(shapes, async ([what, change]) => {
      const session = await redeem(context)
      const json = change(createRequestBody(session.wallet, session))
      const answer = await askForCredential(context, session, { json })
      return findWalletRefusal(answer, { what: `The credential request with ${what}` })
    })
  },
})

type Body = ReturnType<typeof createRequestBody>

const shapes: readonly (readonly [what: string, change: (body: Body) => unknown])[] = [
  ['the proof JWT as proof', ({ proof, ...body }) => ({ ...body, proof: proof.jwt })],
  ['a list as proof', ({ proof, ...body }) => ({ ...body, proof: [proof] })],
  ['a number as proof', (body) => ({ ...body, proof: 7 })],
  ['null as proof', (body) => ({ ...body, proof: null })],
  ['a list as body', (body) => [body]],
]

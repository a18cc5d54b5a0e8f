import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineCheck, findEach } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, redeem } from '../redeeming.ts'
import { findRefusalWithoutCrash } from '../refusals.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I53',
  title: 'A request that is no object, or whose proof is none, is refused and breaks nothing',
  level: 'spec',
  expectation: 'refuse',
  control: 'offer',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9', '1.endpoints.1'],
  clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
  description:
    'A mistake of a client is its own; a 5xx says that it got as far as where nobody thought of it.',
  sends:
    'The proof JWT itself as proof, a list, a number and null as proof, and the whole request in a list, each by an offer of its own.',
  decides:
    'The credential endpoint answers each 4xx. A 5xx that comes twice, while a good request is served, is a WARN: no answer to what a client may send.',
  run(context) {
    return findEach(shapes, async ([what, change]) => {
      const session = await redeem(context)
      const json = change(createRequestBody(session.wallet, session))
      return findRefusalWithoutCrash(context, `The credential request with ${what}`, () =>
        askForCredential(context, session, { json }),
      )
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

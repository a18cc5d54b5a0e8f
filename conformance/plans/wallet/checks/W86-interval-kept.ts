import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { observeIssuance } from '../findings/observe-issuance.ts'

export const check = defineCheck<WalletContext>({
  id: 'W86',
  title: 'A wallet polls no sooner than the issuer asks for',
  level: 'final',
  expectation: 'advice',
  clauses: ['OpenID4VCI 1.0, 8.3'],
  description:
    'interval says how long to wait between polls; who asks sooner is refused for it, or is a load.',
  sends: 'A credential endpoint that defers with interval 1.',
  decides: 'The first poll comes at least 0.9 seconds after the answer that deferred.',
  async run(context) {
    const { session, request: poll } = await observeIssuance(context, 'deferred', {
      deferredPolls: 0,
      deferral: { interval: 1 },
    })
    const [request] = session.requestsTo('credential')
    const waited = (poll.at - (request?.at ?? 0)) / 1000
    const told = `The wallet waited ${waited.toFixed(1)} seconds, where 1 was asked for.`
    const verdictSource = 'first poll of the deferred endpoint'
    return waited >= 0.9 ? held(told, { verdictSource }) : broken(told, { verdictSource })
  },
})

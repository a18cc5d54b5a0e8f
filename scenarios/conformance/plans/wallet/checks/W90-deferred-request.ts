import { defineCheck } from '../../../define-check.ts'
import { broken, held } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'
import { observeIssuance } from '../findings/observe-issuance.ts'

export const check = defineCheck<WalletContext>({
  id: 'W90',
  title: 'The poll for a deferred credential is as documented',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
  description: 'JSON with the acceptance_token as it was handed out; anything else finds nothing.',
  sends: 'A credential endpoint that defers, then the credential.',
  decides: 'A POST of application/json with {acceptance_token}.',
  async run(context) {
    const { request: poll } = await observeIssuance(context, 'deferred', { deferredPolls: 0 })
    const type = poll.headers['content-type'] ?? ''
    const problems = [
      [poll.method === 'POST', 'it is no POST'],
      [/^application\/json\b/i.test(type), 'it is no application/json'],
      [
        tokenIn(poll.body) === 'acceptance-0',
        'acceptance_token is not the one that was handed out',
      ],
    ].flatMap(([holds, problem]) => (holds ? [] : [problem]))
    const verdictSource = 'first poll of the deferred endpoint'
    return problems.length === 0
      ? held('The poll is as documented.', { verdictSource })
      : broken(`Of the poll ${problems.join(', and ')}.`, { verdictSource })
  },
})

function tokenIn(body: string): unknown {
  try {
    return JSON.parse(body)?.acceptance_token
  } catch {
    return undefined
  }
}

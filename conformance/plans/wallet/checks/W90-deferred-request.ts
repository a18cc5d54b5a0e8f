import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/members-in.ts'
import { findProblems } from '../findings/find-problems.ts'
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
    const { acceptance_token: token } = membersIn(poll.body) ?? {}
    return findProblems(
      'The poll',
      [
        [poll.method === 'POST', 'it is no POST'],
        [
          /^application\/json\b/i.test(poll.headers['content-type'] ?? ''),
          'it is no application/json',
        ],
        [token === 'acceptance-0', 'acceptance_token is not the one that was handed out'],
      ],
      'first poll of the deferred endpoint',
    )
  },
})

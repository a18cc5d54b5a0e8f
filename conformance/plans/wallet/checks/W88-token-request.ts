import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findProblems } from '../findings/find-problems.ts'
import { observeIssuance } from '../findings/observe-issuance.ts'

export const check = defineCheck<WalletContext>({
  id: 'W88',
  title: 'The token request is as documented',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
  ],
  description:
    'A form, the grant type word for word, and the code as it stood in the offer: anything else is refused.',
  sends: 'An offer of an issuer that is as good as can be.',
  decides: 'A POST of application/x-www-form-urlencoded with grant_type and pre-authorized_code.',
  async run(context) {
    const { session, request } = await observeIssuance(context, 'token')
    const form = new URLSearchParams(request.body)
    const type = request.headers['content-type'] ?? ''
    return findProblems(
      'The token request',
      [
        [request.method === 'POST', 'it is no POST'],
        [/^application\/x-www-form-urlencoded\b/i.test(type), 'it is no form'],
        [form.get('grant_type') === grantType, 'grant_type is another one'],
        [
          form.get('pre-authorized_code') === session.preAuthorizedCode,
          'the code is not that of the offer',
        ],
      ],
      'token request',
    )
  },
})

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

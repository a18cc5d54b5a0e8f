import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W71',
  title: 'An answer does not go to another port than client_id',
  level: 'practice',
  expectation: 'refuse',
  control: 'requests',
  description: 'Another port may be another service, of somebody else on the same machine.',
  sends: 'An unsigned request in the link whose client_id has another port than its response_uri.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      why: 'response_uri is at another port than client_id',
      link: (session) => {
        const clientId = new URL(session.baseUrl)
        clientId.port = clientId.port === '8443' ? '9443' : '8443'
        return session.requestByValue(clientId.href)
      },
    }),
})

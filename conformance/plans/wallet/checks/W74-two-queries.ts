import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W74',
  title: 'A request for two credentials is answered with both or not at all',
  level: 'final',
  expectation: 'refuse',
  control: 'requests',
  clauses: ['OpenID4VP 1.0, 6.4.2'],
  description:
    'A verifier that needs two credentials can do nothing with one; the holder would have shown it for nothing.',
  sends:
    'A signed request at request_uri whose query holds two elements, of which the wallet can answer one.',
  decides: 'Nothing is posted until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { parameters: { dcql_query: { credentials: [first, second] } } },
      why: 'it has only one of the two credentials that were asked for',
    }),
})

const first = {
  id: 'lear-credential',
  format: 'jwt_vc_json',
  meta: { vct_values: ['OrgPortalLearCredential'] },
}

const second = {
  id: 'second',
  format: 'jwt_vc_json',
  meta: { vct_values: ['NoSuchCredential'] },
}

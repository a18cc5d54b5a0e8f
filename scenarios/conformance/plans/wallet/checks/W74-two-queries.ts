import { defineCheck } from '../../../define-check.ts'
import { broken, held, inconclusive } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'

export const check = defineCheck<WalletContext>({
  id: 'W74',
  title: 'A request for two credentials is answered with both or not at all',
  level: 'final',
  expectation: 'accept',
  clauses: ['OpenID4VP 1.0, 6.4.2'],
  description:
    'A verifier that needs two credentials can do nothing with one; the holder would have shown it for nothing.',
  sends:
    'A signed request at request_uri whose query holds two elements, of which the wallet can answer one.',
  decides: 'Nothing is posted until the verb ends, and the wallet says that it refuses.',
  async run(context) {
    await context.holdCredential()
    const second = {
      id: 'second',
      format: 'jwt_vc_json',
      meta: { vct_values: ['NoSuchCredential'] },
    }
    const session = context.openVerifier({
      parameters: { dcql_query: { credentials: [first, second] } },
    })
    const {
      outcome,
      reason,
      source: verdictSource,
    } = await context.wallet.present({
      link: session.requestByReference(session.party.did),
    })
    if (session.posts.length > 0) {
      return broken('The wallet answered a request for two credentials with what it had.', {
        verdictSource: 'posts to response_uri',
      })
    }
    return outcome === 'refused'
      ? held(`The wallet posted nothing and said: ${reason}`, { verdictSource })
      : inconclusive(`The wallet posted nothing; ${reason}`, { verdictSource })
  },
})

const first = {
  id: 'lear-credential',
  format: 'jwt_vc_json',
  meta: { vct_values: ['OrgPortalLearCredential'] },
}

import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'
import { verifyIdToken } from '../verify-id-token.ts'

export const check = defineCheck<IdpContext>({
  id: 'O34',
  title: 'The id_token is about the client that asked, and no other',
  level: 'practice',
  expectation: 'accept',
  control: 'second-login',
  clauses: ['OpenID Connect Core 1.0, 2'],
  description: 'An id_token that two clients take logs a person in where she never was.',
  sends: 'A login of the second client.',
  decides: 'aud is the second client alone.',
  needs: ['second-client'],
  async run(context) {
    const { logInForTokens, target } = context
    const { secondClient: party = target.client } = target
    const { tokens } = await logInForTokens({ party })
    const { claims } = await verifyIdToken(context, tokens, party)
    expectEqual('aud', [claims.aud].flat(), [party.clientId])
    return held('aud is the client that asked.')
  },
})

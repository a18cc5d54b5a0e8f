import { decodeJwt } from 'jose'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck } from '../../../define-check.ts'
import { held } from '../../../finding.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O34',
  title: 'The id_token is about the client that asked, and no other',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-idp.20', '1.endpoints/credential-idp.13'],
  clauses: ['OpenID Connect Core 1.0, 2'],
  description: 'An id_token that two clients take logs a person in where she never was.',
  sends: 'A login of the second client.',
  decides: 'aud is the second client alone.',
  needs: ['second-client'],
  async run({ logInForTokens, target }) {
    const { secondClient: party = target.client } = target
    const { tokens } = await logInForTokens({ party })
    expectEqual('aud', [decodeJwt(String(tokens.id_token)).aud].flat(), [party.clientId])
    return held('aud is the client that asked.')
  },
})

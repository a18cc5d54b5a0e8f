import { createTokenRequest } from '#core/oid4vci/token-request/create-token-request.ts'
import { createRequestBody } from '#scenarios/fixtures/create-request-body.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { held } from '../../../kit/finding.ts'
import { askForCredential } from '../flow/ask-for-credential.ts'
import { askForToken } from '../flow/ask-for-token.ts'
import { readOffer } from '../flow/read-offer.ts'
import { redeem } from '../flow/redeem.ts'
import { requireControl } from '../flow/require-control.ts'
import type { IssuerContext } from '../issuer-context.ts'

const unknown = { kit_unknown_member: 'of no meaning' }

export const check = defineCheck<IssuerContext>({
  id: 'I89',
  title: 'Parameters that the issuer does not know change nothing',
  level: 'final',
  expectation: 'accept',
  clauses: ['RFC 6749, 3.2', 'OpenID4VCI 1.0, 8.2'],
  description: 'Wallets of a later revision send more; they have to be served all the same.',
  sends: 'A token request and a credential request as documented, each with one parameter more.',
  decides: 'Both succeed.',
  async run(context) {
    await requireControl(context)
    const { resolved } = await readOffer(context)
    const { preAuthorizedCode } = resolved
    const form = { ...createTokenRequest({ preAuthorizedCode }), ...unknown }
    requireAnswer(await askForToken(context, resolved, { form }), 'The token request')
    const session = await redeem(context)
    const json = { ...createRequestBody(session.wallet, session), ...unknown }
    const answer = await askForCredential(context, session, { json })
    requireAnswer(answer, 'The credential request', [200, 202])
    return held('Both succeeded.', { verdictSource: 'HTTP status of both endpoints' })
  },
})

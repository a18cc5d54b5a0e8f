import { defineCheck } from '../../../define-check.ts'
import { broken, held } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'
import { observeIssuance } from '../findings/observe-issuance.ts'

export const check = defineCheck<WalletContext>({
  id: 'W87',
  title: 'The credential request is as documented',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.8',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
    '1.authentication.7',
  ],
  description:
    'Issuers refuse what carries the token elsewhere, names no format, or has no VerifiableCredential among its types.',
  sends: 'An offer of an issuer that is as good as can be.',
  decides:
    'Authorization: Bearer <ACCESS_TOKEN>, application/json, {format jwt_vc_json, types with VerifiableCredential, proof {proof_type jwt, jwt}}.',
  async run(context) {
    const { session, request } = await observeIssuance(context, 'credential')
    const body = JSON.parse(request.body)
    const type = request.headers['content-type'] ?? ''
    const problems = [
      [
        request.headers.authorization === `Bearer ${session.accessToken}`,
        'its Authorization is not the Bearer token',
      ],
      [!request.query.has('access_token'), 'it has the token in its address'],
      [/^application\/json\b/i.test(type), 'it is no application/json'],
      [body.format === 'jwt_vc_json', 'format is not jwt_vc_json'],
      [
        Array.isArray(body.types) && body.types.includes('VerifiableCredential'),
        'types lacks VerifiableCredential',
      ],
      [body.proof?.proof_type === 'jwt', 'proof.proof_type is not jwt'],
      [typeof body.proof?.jwt === 'string', 'proof.jwt is no text'],
    ].flatMap(([holds, problem]) => (holds ? [] : [problem]))
    const verdictSource = 'credential request'
    return problems.length === 0
      ? held('The credential request is as documented.', { verdictSource })
      : broken(`Of the credential request ${problems.join(', and ')}.`, { verdictSource })
  },
})

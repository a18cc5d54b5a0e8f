import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/members-in.ts'
import { findProblems } from '../findings/find-problems.ts'
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
    const { headers, query, body } = request
    const { format, types, proof } = membersIn(body) ?? {}
    const { proof_type: proofType, jwt } = (proof ?? {}) as Record<string, unknown>
    return findProblems(
      'The credential request',
      [
        [
          headers.authorization === `Bearer ${session.accessToken}`,
          'Authorization is not the Bearer token',
        ],
        [!query.has('access_token'), 'its address holds the token'],
        [/^application\/json\b/i.test(headers['content-type'] ?? ''), 'it is no application/json'],
        [format === 'jwt_vc_json', 'format is not jwt_vc_json'],
        [
          Array.isArray(types) && types.includes('VerifiableCredential'),
          'types lacks VerifiableCredential',
        ],
        [proofType === 'jwt', 'proof.proof_type is not jwt'],
        [typeof jwt === 'string', 'proof.jwt is no text'],
      ],
      'credential request',
    )
  },
})

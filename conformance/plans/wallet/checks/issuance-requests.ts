import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { membersIn } from '../counterparts/read-proof.ts'
import { observeIssuance } from '../findings/issuance-findings.ts'
import { findBrokenRules, findProblems } from '../findings/message-findings.ts'

/** What a wallet sends to an issuer. */
export const checks = defineChecks<WalletContext>({
  'W27-proof-of-possession': {
    title: 'The proof of possession is as documented',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/proof-of-possession-jwt.1',
      '1.resources-and-their-fields/proof-of-possession-jwt.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
      '1.authentication.7',
    ],
    description:
      'Issuers bind the credential to the key of the proof. A wrong typ, kid, aud or nonce is what most wallets fail at.',
    sends: 'An offer of an issuer that is as good as can be.',
    decides:
      'The proof in the credential request keeps every rule: typ, alg, kid, iss, aud, iat, nonce, signature.',
    async run(context) {
      const { session } = await observeIssuance(context, 'credential')
      const [proof] = session.proofs
      return findBrokenRules('The proof of possession', proof?.failures ?? [], 'credential request')
    },
  },
  'W28-new-proof-per-request': {
    title: 'Each credential request carries a new proof',
    level: 'practice',
    expectation: 'accept',
    description:
      'A proof that is sent twice is a proof that somebody may have copied; issuers refuse its used nonce.',
    sends:
      'A credential endpoint that refuses the first proof with invalid_nonce and a fresh c_nonce.',
    decides: 'The second proof is another one and carries the fresh c_nonce.',
    async run(context) {
      const session = context.openIssuer({ refusedNonces: 1 })
      const { reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const [first, second] = session.proofs
      if (!first || !second) {
        return inconclusive(`The wallet sent no second credential request: ${reason}`)
      }
      const verdictSource = 'second credential request'
      if (second.jwt === first.jwt) {
        return broken('The wallet sent the same proof again.', { verdictSource })
      }
      return second.payload.nonce === second.expectedNonce
        ? held('The second proof is a new one with the fresh c_nonce.', { verdictSource })
        : broken('The second proof does not carry the fresh c_nonce.', {
            verdictSource,
            expected: second.expectedNonce,
            actual: second.payload.nonce,
          })
    },
  },
  'W87-credential-request': {
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
          [
            /^application\/json\b/i.test(headers['content-type'] ?? ''),
            'it is no application/json',
          ],
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
  },
  'W88-token-request': {
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
  },
  'W90-deferred-request': {
    title: 'The poll for a deferred credential is as documented',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    description:
      'JSON with the acceptance_token as it was handed out; anything else finds nothing.',
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
  },
})

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
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
      'Issuers bind the credential to the key of the proof. Most wallets that fail use a wrong typ, kid, aud or nonce.',
    sends: 'An offer of a fully conformant issuer.',
    decides:
      'The proof in the credential request must pass every rule: typ, alg, kid, iss, aud, iat, nonce, signature. A second key in jwk or x5c is a WARN.',
    fix: 'Sign a JWT with typ openid4vci-proof+jwt, kid <DID>#<key> and the alg of its curve. Set iss to your DID, aud to credential_issuer, iat to now and nonce to the latest c_nonce. Omit jwk and x5c.',
    clauses: ['OpenID4VCI 1.0, F.1'],
    async run(context) {
      const { session } = await observeIssuance(context, 'credential')
      const [proof] = session.proofs
      const verdictSource = 'credential request'
      if (!proof?.jwt) {
        const reason = 'The credential request contains no proof.jwt.'
        return broken(reason, { verdictSource, expected: '{proof_type: jwt, jwt}' })
      }
      const finding = findBrokenRules('The proof of possession', proof.failures, verdictSource)
      const keys = ['jwk', 'x5c'].filter((name) => name in proof.header)
      return finding.kind !== 'held' || keys.length === 0
        ? finding
        : broken(`The header of the proof has ${keys.join(' and ')} as well as kid.`, {
            level: 'final',
            verdictSource,
          })
    },
  },
  'W28-new-proof-per-request': {
    title: 'Each credential request contains a new proof',
    level: 'practice',
    expectation: 'accept',
    description: 'A repeated proof could be a stolen copy. Issuers reject its used nonce.',
    sends:
      'A credential endpoint that rejects the first proof with invalid_nonce and a new c_nonce, which differs from the old one only in upper and lower case.',
    decides: 'The second proof must differ from the first and contain the new c_nonce.',
    fix: 'Sign a new proof for each credential request. After invalid_nonce, put the c_nonce of that error response into nonce.',
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
        ? held('The second proof is new and contains the new c_nonce.', { verdictSource })
        : broken('The second proof does not contain the new c_nonce.', {
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
      'Issuers reject a request with the token elsewhere, without a format, or without VerifiableCredential among its types.',
    sends: 'An offer of a fully conformant issuer.',
    decides:
      'The request must have Authorization: Bearer <ACCESS_TOKEN>, application/json, and {format jwt_vc_json, types with VerifiableCredential, proof {proof_type jwt, jwt}}.',
    fix: 'POST application/json to credential_endpoint with the header Authorization: Bearer <access token> and the members format jwt_vc_json, types with VerifiableCredential, and proof {proof_type: jwt, jwt}.',
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
          [!query.has('access_token'), 'its URL contains the token'],
          [
            /^application\/json\b/i.test(headers['content-type'] ?? ''),
            'its content type is not application/json',
          ],
          [format === 'jwt_vc_json', 'format is not jwt_vc_json'],
          [
            Array.isArray(types) && types.includes('VerifiableCredential'),
            'types lacks VerifiableCredential',
          ],
          [proofType === 'jwt', 'proof.proof_type is not jwt'],
          [typeof jwt === 'string', 'proof.jwt is not a string'],
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
    clauses: ['RFC 6749, 3.2'],
    description:
      'A form, the exact grant type, and the unchanged code from the offer. Issuers reject anything else.',
    sends: 'An offer of a fully conformant issuer.',
    decides:
      'The request must be a POST of application/x-www-form-urlencoded with grant_type and pre-authorized_code. A repeated parameter is a WARN.',
    fix: 'POST application/x-www-form-urlencoded to the token endpoint with grant_type urn:ietf:params:oauth:grant-type:pre-authorized_code and the unchanged pre-authorized_code of the offer, each once.',
    async run(context) {
      const { session, request } = await observeIssuance(context, 'token')
      const form = new URLSearchParams(request.body)
      const type = request.headers['content-type'] ?? ''
      const finding = findProblems(
        'The token request',
        [
          [request.method === 'POST', 'its method is not POST'],
          [/^application\/x-www-form-urlencoded\b/i.test(type), 'it is not a form'],
          [form.get('grant_type') === preAuthorizedCodeGrant, 'grant_type does not match'],
          [
            form.get('pre-authorized_code') === session.preAuthorizedCode,
            'the code does not match the offer',
          ],
        ],
        'token request',
      )
      const names = [...form.keys()]
      const repeated = names.find((name, index) => names.indexOf(name) !== index)
      if (finding.kind !== 'held' || repeated === undefined) return finding
      const verdictSource = 'token request'
      return {
        ...broken(`The token request repeats ${repeated}.`, { verdictSource }),
        level: 'final',
      }
    },
  },
  'W90-deferred-request': {
    title: 'The poll for a deferred credential is as documented',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
    description:
      'JSON with the acceptance_token from the issuer. The issuer cannot match a poll with any other body to a credential.',
    sends: 'A credential endpoint that defers, then the credential.',
    decides: 'The poll must be a POST of application/json with {acceptance_token}.',
    fix: 'POST application/json to the deferred endpoint, with the acceptance_token exactly as the credential endpoint returned it.',
    async run(context) {
      const { request: poll } = await observeIssuance(context, 'deferred', { deferredPolls: 0 })
      const { acceptance_token: token } = membersIn(poll.body) ?? {}
      return findProblems(
        'The poll',
        [
          [poll.method === 'POST', 'its method is not POST'],
          [
            /^application\/json\b/i.test(poll.headers['content-type'] ?? ''),
            'its content type is not application/json',
          ],
          [token === 'acceptance-0', 'acceptance_token is not the one from the issuer'],
        ],
        'first poll of the deferred endpoint',
      )
    },
  },
})

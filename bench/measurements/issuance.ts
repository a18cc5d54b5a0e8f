import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import { compare } from '../harness/compare.ts'
import type { Measurement } from '../harness/measurement.ts'
import { type IssuanceServer, startServer } from '../issuance/start-server.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 9))
const { did: holderDid, kid } = createHolderDid({
  method: 'key',
  publicKey: publicJwkOf(privateKey),
})

type Json = Record<string, unknown>

async function post(url: string, init: RequestInit = {}): Promise<Json> {
  const response = await fetch(url, { method: 'POST', ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

const postJson = (url: string, json: Json, accessToken: unknown) =>
  post(url, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(json),
  })

/** Offer, token and proof, the same on both sides. */
async function openSession({ offersUrl, issuerUrl }: IssuanceServer) {
  const { offer_uri, subject_id } = await post(`${offersUrl}/offers`)
  const offer = JSON.parse(new URL(String(offer_uri)).searchParams.get('credential_offer') ?? '')
  const { access_token, c_nonce } = await post(`${issuerUrl}/token`, {
    body: new URLSearchParams({
      grant_type: grantType,
      'pre-authorized_code': offer.grants[grantType]['pre-authorized_code'],
    }),
  })
  const proof = createProofOfPossession({
    privateKey,
    holderDid,
    kid,
    credentialIssuer: issuerUrl,
    cNonce: String(c_nonce),
    now: Math.floor(Date.now() / 1000),
  })
  return { accessToken: access_token, proof, subjectId: String(subject_id) }
}

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** One complete issuance; the two sides differ in the dialect of the credential request alone. */
async function issue(server: IssuanceServer, createRequest: (proof: string) => Json) {
  const { accessToken, proof, subjectId } = await openSession(server)
  const answer = await postJson(`${server.issuerUrl}/credential`, createRequest(proof), accessToken)
  if (!answer.credential && !answer.credentials) throw new Error('no credential')
  await server.recorded(subjectId)
}

const ourRequest = (jwt: string) => ({
  format: 'jwt_vc_json',
  types,
  proof: { proof_type: 'jwt', jwt },
})
const peerRequest = (jwt: string) => ({
  credential_configuration_id: 'OrgPortalLearCredential',
  proofs: { jwt: [jwt] },
})

/** Complete issuances, from the offer to the recorded notification, with state in SQLite files. */
export const measurement: Measurement = {
  title:
    'offer, token, proof, credential, recorded notification; the peer is oid4vc-ts with did-jwt on Express',
  async measure(say) {
    const [ours, peer] = await Promise.all([
      startServer('serve-ours.ts'),
      startServer('serve-oid4vc-ts.ts'),
    ])
    try {
      return await compare(
        {
          unit: 'issuances',
          ours: { name: 'this testbed', operation: () => issue(ours, ourRequest) },
          peer: { name: 'oid4vc-ts', operation: () => issue(peer, peerRequest) },
          loads: [
            { concurrency: 1, operations: 100 },
            { concurrency: 8, operations: 300 },
          ],
          atLeast: 1.5,
        },
        say,
      )
    } finally {
      await Promise.all([ours.stop(), peer.stop()])
    }
  },
}

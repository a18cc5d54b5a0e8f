import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { type Step, withoutSteps } from '../harness.ts'

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 9))
/** The holder of every credential of the bench. */
export const benchHolder = {
  privateKey,
  ...createHolderDid({ method: 'key', publicKey: publicJwkOf(privateKey) }),
}

type Json = Record<string, unknown>

/** What the driver of an issuance uses of a system. */
export interface IssuanceSystem {
  /** Orders an offer. */
  createOffer(): Promise<Json>
  /** credential_issuer. */
  readonly issuerUrl: string
  createCredentialRequest(proof: string): Json
  /** Resolves once the issuer has recorded the issuance for this subject. */
  recorded(subjectId: string): Promise<void>
}

/** POST, with a JSON answer. Throws if the status is not 2xx. */
export async function post(url: string, init: RequestInit = {}): Promise<Json> {
  const response = await fetch(url, { method: 'POST', ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/** Posts JSON with a bearer token. */
export const postJson = (url: string, json: Json, accessToken: unknown) =>
  post(url, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(json),
  })

/** The credential request of the profile. */
export const profileRequest = (jwt: string) => ({
  format: 'jwt_vc_json',
  types,
  proof: { proof_type: 'jwt', jwt },
})

/** One complete issuance: offer, token, proof, credential, recorded delivery. */
export async function issue(
  { createOffer, issuerUrl, createCredentialRequest, recorded }: IssuanceSystem,
  step: Step = withoutSteps,
): Promise<string> {
  const { offer_uri, subject_id } = await step('offer', createOffer)
  const offer = JSON.parse(new URL(String(offer_uri)).searchParams.get('credential_offer') ?? '')
  const code = offer.grants[preAuthorizedCodeGrant]['pre-authorized_code']
  const body = new URLSearchParams({
    grant_type: preAuthorizedCodeGrant,
    'pre-authorized_code': code,
  })
  const token = await step('token', () => post(`${issuerUrl}/token`, { body }))
  const proof = createProofOfPossession({
    privateKey,
    holderDid: benchHolder.did,
    kid: benchHolder.kid,
    credentialIssuer: issuerUrl,
    cNonce: String(token.c_nonce),
    now: Math.floor(Date.now() / 1000),
  })
  const answer = await step('credential and its notification', async () => {
    const request = createCredentialRequest(proof)
    const delivered = await postJson(`${issuerUrl}/credential`, request, token.access_token)
    await recorded(String(subject_id))
    return delivered
  })
  if (!answer.credential && !answer.credentials) throw new Error('no credential')
  return String(answer.credential)
}

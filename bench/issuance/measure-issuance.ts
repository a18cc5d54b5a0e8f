import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import { compare, type Measurement } from '../harness.ts'

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

/** One complete issuance; the two sides differ only in the dialect of the credential request. */
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

/**
 * Complete issuances: offer, token, proof, credential, recorded notification, with state in SQLite
 * files on both sides.
 */
export const measureIssuance: Measurement = async (say) => {
  const [ours, peer] = await Promise.all([
    startServer('serve-ours.ts'),
    startServer('serve-peer.ts'),
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
}

interface IssuanceServer {
  /** Start of an issuance: `POST {offersUrl}/offers`. */
  readonly offersUrl: string
  /** credential_issuer. */
  readonly issuerUrl: string
  /** Resolves once the issuer has recorded the issuance for this subject. */
  recorded(subjectId: string): Promise<void>
  stop(): Promise<void>
}

/** Starts one side in a separate process, so that each side has the same core. */
async function startServer(file: 'serve-ours.ts' | 'serve-peer.ts'): Promise<IssuanceServer> {
  const child = fork(join(import.meta.dirname, file), { execArgv: [...process.execArgv] })
  const seen = new Set<string>()
  const waiting = new Map<string, () => void>()
  const addresses = await new Promise<{ offersUrl: string; issuerUrl: string }>(
    (resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${file} ended (${code})`)))
      child.once('message', (message) => resolve(message as never))
    },
  )
  child.on('message', (message) => {
    const { recorded } = message as { recorded?: string }
    if (recorded === undefined) return
    waiting.get(recorded)?.() ?? seen.add(recorded)
    waiting.delete(recorded)
  })
  return {
    ...addresses,
    async recorded(subjectId) {
      if (seen.delete(subjectId)) return
      await new Promise<void>((resolve) => waiting.set(subjectId, resolve))
    },
    stop: () => stop(child),
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.disconnect()
  })
}

import { randomBytes } from 'node:crypto'
import { createCredentialOfferReferenceUri } from '#core/oid4vci/credential-offer/create-credential-offer-uri.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/grant-types.ts'
import type { TrustWorld } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { KitServer, ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'
import { type IssuerBehaviour, type IssuerEndpoint, membersAt } from './issuer-behaviour.ts'
import { type ReceivedProof, readProof } from './read-proof.ts'

/** A request as the issuer saw it. */
export interface IssuerRequest extends ServedRequest {
  readonly endpoint: IssuerEndpoint
  /** Milliseconds on a clock of its own. */
  readonly at: number
}

/** One issuer for one check, below an address of its own, and what a wallet asked it for. */
export interface IssuerSession {
  readonly credentialIssuer: string
  readonly preAuthorizedCode: string
  readonly accessToken: string
  /** The c_nonce of the token response. */
  readonly cNonce: string
  offerByValue(): string
  offerByReference(): string
  readonly requests: readonly IssuerRequest[]
  requestsTo(endpoint: IssuerEndpoint): readonly IssuerRequest[]
  /** The proofs that arrived, with what core's rules say of them. */
  readonly proofs: readonly ReceivedProof[]
  /** The credentials that were handed out. */
  readonly delivered: readonly string[]
}

export interface IssuerSessionOptions {
  readonly server: KitServer
  readonly world: TrustWorld
  readonly now: () => number
  readonly behaviour: IssuerBehaviour
}

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']
const wellKnown = '/.well-known/openid-credential-issuer'
const random = () => randomBytes(16).toString('base64url')
const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })

/**
 * Opens an issuer of the documents' dialect. It hands a credential to whoever names a DID in a proof,
 * whatever else is wrong with the request, and remembers it: what a check is about is judged by the
 * check, and nothing else stands in its way.
 */
export function openIssuerSession(options: IssuerSessionOptions): IssuerSession {
  const { server, world, now, behaviour } = options
  const path = `/issuers/${random()}`
  const credentialIssuer = `${server.origin}${path}`
  const preAuthorizedCode = random()
  const accessToken = random()
  const cNonce = random()
  const requests: IssuerRequest[] = []
  const proofs: ReceivedProof[] = []
  const delivered: string[] = []
  let currentNonce = cNonce
  let holderDid: string | undefined
  const requestsTo = (endpoint: IssuerEndpoint) =>
    requests.filter((request) => request.endpoint === endpoint)

  const offer = () => ({
    credential_issuer: credentialIssuer,
    credentials: ['OrgPortalLearCredential'],
    grants: {
      [preAuthorizedCodeGrant]: {
        'pre-authorized_code': preAuthorizedCode,
        ...txCodeOf(behaviour),
        ...behaviour.grant,
      },
      ...behaviour.otherGrants,
    },
    ...behaviour.offer,
  })
  const metadata = () => ({
    credential_issuer: credentialIssuer,
    credential_endpoint: `${credentialIssuer}/credential`,
    credentials_supported: [
      {
        format: 'jwt_vc_json',
        id: 'OrgPortalLearCredential',
        types,
        cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
        cryptographic_suites_supported: ['ES256K', 'EdDSA'],
        ...behaviour.entry,
      },
    ],
    ...membersAt(behaviour.metadata, credentialIssuer),
  })
  const token = () => ({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 86_400,
    c_nonce: cNonce,
    c_nonce_expires_in: 86_400,
    ...behaviour.token,
  })
  const issue = (did: string) => {
    const order = { holderDid: did, now: now(), credentialIssuer }
    const { credential = issueGood } = behaviour
    const issued = {
      format: 'jwt_vc_json',
      credential: credential(order),
      ...behaviour.issued,
    }
    delivered.push(String(issued.credential))
    return json(200, issued)
  }
  const issueGood = (order: { holderDid: string; now: number }) => {
    const { defect } = behaviour
    return issueCredential(world, { ...order, defect, credentialIssuerUrl: credentialIssuer })
  }

  function answerCredentialRequest({ body }: ServedRequest) {
    const proof = readProof(body, {
      credentialIssuer,
      cNonce: { value: currentNonce, expiresAt: now() + 86_400 },
      now: now(),
    })
    proofs.push(proof)
    if (proofs.length <= (behaviour.refusedNonces ?? 0)) {
      currentNonce = random()
      const fresh = { c_nonce: currentNonce, c_nonce_expires_in: 300 }
      return json(400, { error: 'invalid_nonce', error_description: 'Used up.', ...fresh })
    }
    holderDid = proof.holderDid
    if (holderDid === undefined) {
      return json(400, { error: 'invalid_proof', error_description: 'The proof names no holder.' })
    }
    if (behaviour.deferredPolls === undefined) return issue(holderDid)
    const nonce = { c_nonce: currentNonce, c_nonce_expires_in: 300 }
    return json(200, { acceptance_token: 'acceptance-0', ...nonce, ...behaviour.deferral })
  }

  function answerPoll() {
    const polls = requestsTo('deferred').length
    if (holderDid === undefined) return json(400, { error: 'invalid_token' })
    if (polls > (behaviour.deferredPolls ?? 0)) return issue(holderDid)
    return json(202, behaviour.pending?.(polls) ?? {})
  }

  const usual: Readonly<
    Record<IssuerEndpoint, (request: ServedRequest) => Exclude<ServedAnswer, string>>
  > = {
    offer: () => json(200, offer()),
    metadata: () => json(200, metadata()),
    token: () => json(200, token()),
    credential: answerCredentialRequest,
    deferred: answerPoll,
    'status-list': () => {
      const body = world.statusLists.get(`${credentialIssuer}/status-lists/1`)
      return body === undefined
        ? json(404, { error: 'not_found' })
        : { status: 200, contentType: 'application/vc+jwt', body }
    },
    elsewhere: () => json(404, { error: 'not_found' }),
  }
  const serve = (request: ServedRequest, endpoint = endpointAt(request.path)) => {
    requests.push({ ...request, endpoint, at: performance.now() })
    const answer = usual[endpoint](request)
    const nth = requestsTo(endpoint).length
    return behaviour.answers?.[endpoint]?.(answer, nth, request) ?? answer
  }
  server.mount(path, 'credential issuer', serve)
  // OpenID4VCI 1.0, 12.2.2, puts the well-known part before the path of the identifier.
  server.mount(`${wellKnown}${path}`, 'credential issuer', (request) => serve(request, 'metadata'))

  return {
    credentialIssuer,
    preAuthorizedCode,
    accessToken,
    cNonce,
    offerByValue: () =>
      `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer()))}`,
    offerByReference: () => createCredentialOfferReferenceUri(`${credentialIssuer}/offer`),
    requests,
    requestsTo,
    proofs,
    delivered,
  }
}

function txCodeOf({ pin, inputMode }: IssuerBehaviour) {
  if (pin === undefined) return {}
  const input_mode = inputMode ?? (/^\d+$/.test(pin) ? 'numeric' : 'text')
  return { tx_code: { length: pin.length, input_mode, description: 'The PIN that was sent' } }
}

const endpoints: Readonly<Record<string, IssuerEndpoint>> = {
  '/offer': 'offer',
  [wellKnown]: 'metadata',
  '/token': 'token',
  '/credential': 'credential',
  '/deferred_credential': 'deferred',
  '/status-lists/1': 'status-list',
}

const endpointAt = (path: string) => endpoints[path] ?? 'elsewhere'

import { randomBytes } from 'node:crypto'
import { defaultHolderSuites } from '#core/crypto/suites.ts'
import {
  type CredentialOfferWire,
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import type { TrustWorld } from '../../../world/create-trust-world.ts'
import type { Defect } from '../../../world/defects/defect.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { KitServer, ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'
import { type ReceivedProof, readProof } from './read-proof.ts'

/** An endpoint of an issuer; `elsewhere` is any other path below its URL. */
export type IssuerEndpoint =
  | 'offer'
  | 'metadata'
  | 'token'
  | 'credential'
  | 'deferred'
  | 'status-list'
  | 'elsewhere'

export type Members = Readonly<Record<string, unknown>>

/** Members, or a function that creates them from the URL of the counterpart. */
export type MembersAt = Members | ((baseUrl: string) => Members)

export const membersAt = (members: MembersAt | undefined, baseUrl: string): Members =>
  typeof members === 'function' ? members(baseUrl) : (members ?? {})

/** Replaces an answer; `nth` is 1 for the first request to that endpoint. */
export type ReplaceAnswer = (
  usual: Exclude<ServedAnswer, string>,
  nth: number,
  request: ServedRequest,
) => ServedAnswer

/** The holder, issuer and time of a credential. */
interface CredentialOrder {
  readonly holderDid: string
  /** Unix seconds. */
  readonly now: number
  readonly credentialIssuer: string
}

/** The deviations of an issuer. A member set to undefined is omitted. */
export interface IssuerBehaviour {
  /** The PIN that the offer requires. */
  readonly pin?: string
  /** By default `text` if the PIN contains other characters than digits. */
  readonly inputMode?: string
  readonly offer?: MembersAt
  /** Members of the pre-authorized code grant. */
  readonly grant?: Members
  readonly otherGrants?: Members
  readonly metadata?: MembersAt
  /** Members of the only entry of credentials_supported. */
  readonly entry?: Members
  readonly token?: Members
  /** What every other path returns: by default nothing. */
  readonly everywhere?: 'metadata'
  /** How many proofs are rejected with a new c_nonce, even if they are valid. */
  readonly refusedNonces?: number
  /** How many polls are answered with 202. If undefined, the issuance is not deferred. */
  readonly deferredPolls?: number
  /** Members of the answer that defers. */
  readonly deferral?: Members
  /** Members of the 202 answers to polls; `nth` is 1 for the first poll. */
  readonly pending?: (nth: number) => Members
  /** The defect of the credential. */
  readonly defect?: Defect
  /** Creates the credential, instead of the issuer of the trust world. */
  readonly credential?: (order: CredentialOrder) => string
  /** Members of the answer with the credential. */
  readonly issued?: Members
  readonly answers?: Partial<Readonly<Record<IssuerEndpoint, ReplaceAnswer>>>
}

/** A request that the issuer received. */
export interface IssuerRequest extends ServedRequest {
  readonly endpoint: IssuerEndpoint
  /** Milliseconds of `performance.now()`. */
  readonly at: number
}

/** An issuer for one check, with its own URL, and the requests that it received. */
export interface IssuerSession extends IssuerSecrets {
  readonly credentialIssuer: string
  offerByValue(): string
  /** By default without a query. */
  offerByReference(query?: string): string
  readonly requests: readonly IssuerRequest[]
  requestsTo(endpoint: IssuerEndpoint): readonly IssuerRequest[]
  /** The proofs that arrived, with the results of the verification rules. */
  readonly proofs: readonly ReceivedProof[]
  /** The credentials that were issued. */
  readonly delivered: readonly string[]
}

export interface IssuerSessionOptions {
  readonly server: KitServer
  readonly world: TrustWorld
  readonly now: () => number
  readonly behaviour: IssuerBehaviour
}

const wellKnown = '/.well-known/openid-credential-issuer'
const random = () => randomBytes(16).toString('base64url')
const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })

/**
 * Opens an issuer that follows the profile except for the given behaviour. The check evaluates that
 * deviation; everything else is correct.
 */
export function openIssuerSession(options: IssuerSessionOptions): IssuerSession {
  const { server, world, now, behaviour } = options
  const path = `/issuers/${random()}`
  const credentialIssuer = `${server.origin}${path}`
  const secrets = { preAuthorizedCode: random(), accessToken: random(), cNonce: random() }
  const { cNonce } = secrets
  const messages = createIssuerMessages(credentialIssuer, secrets, behaviour)
  const issuance = createIssuance({ world, now, behaviour, credentialIssuer, cNonce })
  const requests: IssuerRequest[] = []
  const requestsTo = (endpoint: IssuerEndpoint) =>
    requests.filter((request) => request.endpoint === endpoint)

  const usual: Readonly<
    Record<IssuerEndpoint, (request: ServedRequest) => Exclude<ServedAnswer, string>>
  > = {
    offer: () => json(200, messages.offer),
    metadata: () => json(200, messages.metadata),
    token: () => json(200, messages.token),
    credential: ({ body }) => issuance.answerCredentialRequest(body),
    deferred: () => issuance.answerPoll(requestsTo('deferred').length),
    'status-list': (request) => {
      const body = world.statusLists.get(`${credentialIssuer}${request.path}`)
      return body === undefined
        ? json(404, { error: 'not_found' })
        : { status: 200, contentType: 'application/vc+jwt', body }
    },
    elsewhere: () =>
      behaviour.everywhere === 'metadata'
        ? json(200, messages.metadata)
        : json(404, { error: 'not_found' }),
  }
  const serve = (
    request: ServedRequest,
    // After an identifier with a slash at its end, a wallet may append a second slash.
    endpoint = endpoints[request.path.replace(/^\/+/, '/')] ?? 'elsewhere',
  ) => {
    requests.push({ ...request, endpoint, at: performance.now() })
    const answer = usual[endpoint](request)
    const nth = requestsTo(endpoint).length
    return behaviour.answers?.[endpoint]?.(answer, nth, request) ?? answer
  }
  server.mount(path, 'credential issuer', serve)
  // OpenID4VCI 1.0, 12.2.2, puts the well-known part before the path of the identifier.
  server.mount(`${wellKnown}${path}`, 'credential issuer', (request) =>
    serve({ ...request, path: wellKnown }, 'metadata'),
  )

  return {
    ...secrets,
    credentialIssuer,
    // A behaviour may make the offer invalid.
    offerByValue: () => createCredentialOfferUri(messages.offer as CredentialOfferWire),
    offerByReference: (query = '') =>
      createCredentialOfferReferenceUri(`${credentialIssuer}/offer${query}`),
    requests,
    requestsTo,
    proofs: issuance.proofs,
    delivered: issuance.delivered,
  }
}

const endpoints: Readonly<Record<string, IssuerEndpoint>> = {
  '/offer': 'offer',
  [wellKnown]: 'metadata',
  '/token': 'token',
  '/credential': 'credential',
  '/deferred_credential': 'deferred',
  '/later': 'deferred',
  '/status-lists/1': 'status-list',
  '/status-lists/1/': 'status-list',
}

interface IssuanceOptions {
  readonly world: TrustWorld
  readonly now: () => number
  readonly behaviour: IssuerBehaviour
  readonly credentialIssuer: string
  /** The c_nonce that the first proof must contain. */
  readonly cNonce: string
}

/**
 * Creates the credential endpoint and the deferred credential endpoint of an issuer. They record
 * each request, and issue a credential to any DID in a proof, even if the request is invalid.
 */
function createIssuance(options: IssuanceOptions) {
  const { world, now, behaviour, credentialIssuer } = options
  const proofs: ReceivedProof[] = []
  const delivered: string[] = []
  let cNonce = options.cNonce
  let holderDid: string | undefined

  const issueValid = (order: { holderDid: string; now: number }) => {
    const { defect } = behaviour
    return issueCredential(world, { ...order, defect, credentialIssuerUrl: credentialIssuer })
  }
  const issue = (did: string) => {
    const { credential = issueValid, issued } = behaviour
    const made = credential({ holderDid: did, now: now(), credentialIssuer })
    delivered.push(made)
    return json(200, { format: 'jwt_vc_json', credential: made, ...issued })
  }
  const rejectNonce = () => {
    // The first new one differs only in case, so that a loose comparison takes it for the old one.
    cNonce = proofs.length === 1 ? swapCase(cNonce) : randomBytes(16).toString('base64url')
    const fresh = { c_nonce: cNonce, c_nonce_expires_in: 300 }
    return json(400, {
      error: 'invalid_nonce',
      error_description: 'The c_nonce was used.',
      ...fresh,
    })
  }

  return {
    proofs,
    delivered,
    answerCredentialRequest(body: string) {
      const proof = readProof(body, {
        credentialIssuer,
        cNonce: { value: cNonce, expiresAt: now() + 86_400 },
        now: now(),
      })
      proofs.push(proof)
      if (proofs.length <= (behaviour.refusedNonces ?? 0)) return rejectNonce()
      holderDid = proof.holderDid
      if (holderDid === undefined) {
        return json(400, {
          error: 'invalid_proof',
          error_description: 'The proof does not name a holder.',
        })
      }
      if (behaviour.deferredPolls === undefined) return issue(holderDid)
      const nonce = { c_nonce: cNonce, c_nonce_expires_in: 300 }
      return json(200, { acceptance_token: 'acceptance-0', ...nonce, ...behaviour.deferral })
    },
    /** `nth` is 1 for the first poll. */
    answerPoll(nth: number) {
      if (holderDid === undefined) return json(400, { error: 'invalid_token' })
      if (nth > (behaviour.deferredPolls ?? 0)) return issue(holderDid)
      return json(202, behaviour.pending?.(nth) ?? {})
    },
  }
}

/** The secrets of one issuer session. */
interface IssuerSecrets {
  readonly preAuthorizedCode: string
  readonly accessToken: string
  /** The c_nonce of the token response. */
  readonly cNonce: string
}

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** Creates the offer, the metadata and the token response of an issuer with the given behaviour. */
function createIssuerMessages(
  credentialIssuer: string,
  { preAuthorizedCode, accessToken, cNonce }: IssuerSecrets,
  behaviour: IssuerBehaviour,
) {
  return {
    offer: {
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
      ...membersAt(behaviour.offer, credentialIssuer),
    },
    metadata: {
      credential_issuer: credentialIssuer,
      credential_endpoint: `${credentialIssuer}/credential`,
      credentials_supported: [
        {
          format: 'jwt_vc_json',
          id: 'OrgPortalLearCredential',
          types,
          cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
          cryptographic_suites_supported: [...defaultHolderSuites],
          ...behaviour.entry,
        },
      ],
      ...membersAt(behaviour.metadata, credentialIssuer),
    },
    token: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 86_400,
      c_nonce: cNonce,
      c_nonce_expires_in: 86_400,
      ...behaviour.token,
    },
  }
}

function txCodeOf({ pin, inputMode }: IssuerBehaviour) {
  if (pin === undefined) return {}
  const input_mode = inputMode ?? (/^\d+$/.test(pin) ? 'numeric' : 'text')
  return { tx_code: { length: pin.length, input_mode, description: 'The PIN that you received' } }
}

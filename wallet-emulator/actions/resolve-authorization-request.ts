import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
  parseAuthorizationRequestUri,
  signedRequestMediaType,
} from '#core/oid4vp/authorization-request.ts'
import { verifySignedRequest } from '#core/oid4vp/signed-request.ts'
import type { ResolveDidDocument } from '#core/verification/lookup.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import type { Wallet } from '../create-wallet.ts'
import { describeRefusal, sentenceOf } from '../http/create-wallet-http.ts'
import { takeLink } from '../link/take-link.ts'
import { walletError } from '../wallet-error.ts'

/** Which requests a wallet accepts. */
export interface ResolveAuthorizationRequestOptions {
  /**
   * Resolves DIDs to verify signed requests. Without this function, the wallet rejects signed
   * requests.
   */
  readonly resolveDidDocument?: ResolveDidDocument | undefined
  /** Accept only signed requests. Default: unsigned requests are accepted too, as documented. */
  readonly requireSigned?: boolean
}

/** A request that the wallet accepts. */
export interface ResolvedRequest {
  readonly request: AuthorizationRequest
  /** Whether it is signed with a key in the verifier's DID document. */
  readonly signed: boolean
}

/**
 * Reads a presentation request from the link in a string: by value, by request_uri, or as a signed
 * JWT, which is verified with the key in the DID document of its client_id (profile/verifier,
 * Presentation request). Throws a TestbedError `invalid_link` or `invalid_request` with every
 * broken rule.
 *
 * @assumption A-29 A-45 A-72
 */
export async function resolveAuthorizationRequest(
  wallet: Wallet,
  text: string,
  options: ResolveAuthorizationRequestOptions = {},
): Promise<ResolvedRequest> {
  const resolved = await readRequest(wallet, takeLink(text, 'request'), options)
  const { request, signed } = resolved
  if (!signed) {
    const problem = findProblem(request, options)
    if (problem) throw invalidRequest([problem])
  }
  wallet.emit({ type: 'request-resolved', clientId: request.clientId, signed })
  return resolved
}

/** Prefixes of a client_id whose owner signs its requests (OpenID4VP 1.0, 5.9.3). */
const signedOnly = /^(decentralized_identifier|verifier_attestation|x509_san_dns|x509_hash):/

/** Why an unsigned request is not from the verifier in its client_id, if that can be seen. */
function findProblem(
  { clientId, responseUri }: AuthorizationRequest,
  { requireSigned = false }: ResolveAuthorizationRequestOptions,
): VerificationFailure | undefined {
  if (requireSigned || signedOnly.test(clientId)) {
    return failure('request.signature', 'the request is not signed')
  }
  // OpenID4VP 1.0, 5.9.3 and 8.2: client_id is the address of the response, or determines its host.
  const [, address] = /^redirect_uri:(.*)/s.exec(clientId) ?? []
  const client = URL.parse(clientId)
  const isUrl = client !== null && /^https?:$/.test(client.protocol)
  const isElsewhere =
    (address !== undefined && address !== responseUri) ||
    (isUrl && client.origin !== new URL(responseUri).origin)
  return isElsewhere
    ? failure('request.response-uri', 'the response would go to a different host than client_id')
    : undefined
}

async function readRequest(
  wallet: Wallet,
  link: string,
  options: ResolveAuthorizationRequestOptions,
): Promise<ResolvedRequest> {
  const parsed = parseAuthorizationRequestUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    const isLink = !failures.some(({ rule }) => rule === 'request.uri')
    if (isLink) throw invalidRequest(failures)
    throw walletError(
      'invalid_link',
      `This is not a valid presentation request: ${reasonsOf(failures)}.`,
      {
        failures,
      },
    )
  }
  if (parsed.delivery === 'value') return { request: parsed.request, signed: false }
  const { clientId } = parsed
  if (parsed.delivery === 'signed') {
    return verifyRequest(wallet, { jwt: parsed.requestJwt, clientId }, options)
  }
  const response = await wallet.http.request(parsed.requestUri, {
    headers: { accept: `${signedRequestMediaType}, application/json` },
  })
  if (response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('invalid_request', `Request unavailable: ${sentenceOf(answer)}`, { answer })
  }
  if (typeof response.json !== 'object' || response.json === null) {
    return verifyRequest(wallet, { jwt: response.text.trim(), clientId }, options)
  }
  const result = parseAuthorizationRequest(response.json as Record<string, unknown>)
  if (!result.ok) throw invalidRequest(result.failures)
  if (clientId !== undefined && clientId !== result.request.clientId) {
    throw invalidRequest([failure('request.client-id', 'the client_id of the link is different')])
  }
  return { request: result.request, signed: false }
}

async function verifyRequest(
  wallet: Wallet,
  { jwt, clientId }: { jwt: string; clientId: string | undefined },
  { resolveDidDocument = unknownRegistry }: ResolveAuthorizationRequestOptions,
): Promise<ResolvedRequest> {
  const result = await verifySignedRequest({
    jwt,
    ...(clientId === undefined ? {} : { clientId }),
    now: wallet.now(),
    resolveDidDocument,
    cache: wallet.verificationCache,
  })
  if (!result.ok) throw invalidRequest(result.failures)
  return { request: result.request, signed: true }
}

const unknownRegistry: ResolveDidDocument = async () => ({
  ok: false,
  kind: 'unavailable',
  reason: 'no DID registry is configured in this wallet',
})

const failure = (rule: string, reason: string): VerificationFailure => ({ rule, reason, path: '' })

const reasonsOf = (failures: readonly VerificationFailure[]) =>
  failures.map(({ rule, reason }) => `${rule}: ${reason}`).join('; ')

function invalidRequest(failures: readonly VerificationFailure[]) {
  return walletError(
    'invalid_request',
    `The wallet rejected the request: ${reasonsOf(failures)}.`,
    {
      failures,
    },
  )
}

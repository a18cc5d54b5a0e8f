import { parseJws } from '#core/crypto/jws.ts'
import type { DialectKind } from '#core/dialect/lint-dialect.ts'
import { findLink, type LinkKind } from '#core/link/find-link.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'

/** A message whose form tells which revision it follows. */
export interface FoundMessage {
  readonly kind: DialectKind
  readonly message: unknown
}

type Members = Readonly<Record<string, unknown>>

/** The messages of OpenID4VCI and OpenID4VP that one part sent in an exchange, by their members. */
export function findMessages(hop: Hop, sender: string): FoundMessage[] {
  const asked = membersOf(hop.requestBody)
  const answered = membersOf(hop.responseBody)
  if (hop.from === sender) return requestsIn(asked)
  if (hop.to !== sender || hop.status >= 400) return []
  return [...answersIn(asked, answered), ...linksIn(hop.responseBody), ...signedIn(hop)]
}

function requestsIn(body: Members): FoundMessage[] {
  if ('grant_type' in body) return [{ kind: 'token-request', message: body }]
  if ('vp_token' in body) return [{ kind: 'presentation-response', message: body }]
  if ('acceptance_token' in body || 'transaction_id' in body) {
    return [{ kind: 'deferred-request', message: body }]
  }
  return isCredentialRequest(body) ? [{ kind: 'credential-request', message: body }] : []
}

function answersIn(asked: Members, answered: Members): FoundMessage[] {
  const of = (kind: DialectKind): FoundMessage[] => [{ kind, message: answered }]
  if ('access_token' in answered) return of('token-response')
  if ('credential_endpoint' in answered) return of('issuer-metadata')
  if ('credential_issuer' in answered) return of('credential-offer')
  if (isCredentialRequest(asked)) return of('credential-response')
  const isPoll = 'acceptance_token' in asked || 'transaction_id' in asked
  return isPoll && 'credential' in answered ? of('deferred-response') : []
}

const isCredentialRequest = (body: Members) =>
  ['proof', 'proofs', 'credential_configuration_id', 'credential_identifier'].some(
    (name) => name in body,
  )

/** Links that carry the message itself, as a page or an answer shows them. */
function linksIn(body: unknown): FoundMessage[] {
  const text = typeof body === 'string' ? body : Object.values(membersOf(body)).join('\n')
  return (['offer', 'request'] as const).flatMap((wanted) => {
    const link = findLink(text, wanted)?.link
    return link === undefined ? [] : messageInLink(wanted, link)
  })
}

function messageInLink(kind: LinkKind, link: string): FoundMessage[] {
  const parameters = new URLSearchParams(link.slice(link.indexOf('?') + 1))
  if (kind === 'offer') {
    const offer = membersOf(parameters.get('credential_offer'))
    return 'credential_issuer' in offer ? [{ kind: 'credential-offer', message: offer }] : []
  }
  const signed = parameters.get('request')
  if (signed !== null) return signedRequest(signed)
  return parameters.has('response_type')
    ? [{ kind: 'authorization-request', message: Object.fromEntries(parameters) }]
    : []
}

const signedIn = ({ responseBody }: Hop): FoundMessage[] =>
  typeof responseBody === 'string' ? signedRequest(responseBody) : []

function signedRequest(jwt: string): FoundMessage[] {
  const jws = parseJws(jwt.trim())
  if (!jws.ok || !('response_type' in jws.payload)) return []
  return [{ kind: 'authorization-request', message: jws.payload }]
}

function membersOf(body: unknown): Members {
  if (typeof body === 'string' && body.startsWith('{')) {
    try {
      return membersOf(JSON.parse(body))
    } catch {
      return {}
    }
  }
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Members) : {}
}

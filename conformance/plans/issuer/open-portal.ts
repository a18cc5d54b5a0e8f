import { parseJws } from '#core/crypto/jws.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from '#scenarios/harness/http-client.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import type { PortalTarget } from './z-target.ts'

/** The endpoints below /issuance. */
export type IssuanceEndpoint =
  | 'representative'
  | 'employee'
  | 'identifiers'
  | 'credential'
  | 'credential/revoke'
  | 'notifications'
  | 'claims'

interface BearerTokenOptions {
  /** A claim to omit. */
  readonly omit?: string
  /** The lifetime in seconds. */
  readonly expiresIn?: number
  readonly iss?: string
  readonly aud?: string
  /** Unix seconds. */
  readonly nbf?: number
  readonly organization?: string
  readonly user_identifier?: string
  readonly email?: string
  readonly given_name?: string
  readonly family_name?: string
  readonly name?: string
}

/** Where emails of the issuer arrive. */
interface Mailbox {
  readonly email: string
  /**
   * The newest email to its address or another one, or several with the newest first, unchanged or
   * in JSON.
   */
  read(email?: string): Promise<string>
}

/** The portal of an organization, which the kit plays. */
export interface Portal {
  readonly issuerBaseUrl: string
  readonly organizationIdentifier: string
  /** Powers that the organization may grant. */
  readonly power: PortalTarget['power']
  /** A new Bearer token of its representative. */
  createBearerToken(options?: BearerTokenOptions): Promise<string>
  /** GET of a path below the issuer's address. */
  get(path: string): Promise<HttpAnswer>
  /** POST /issuance/…, with these headers; the query is added to the address. */
  post(
    endpoint: IssuanceEndpoint,
    json: unknown,
    headers?: Readonly<Record<string, string>>,
    query?: string,
  ): Promise<HttpAnswer>
  /** Sends a request that is not JSON to /issuance/…. */
  send(endpoint: IssuanceEndpoint, request: HttpRequest): Promise<HttpAnswer>
  readonly mailbox: Mailbox | undefined
  /** The portal of another organization, if the target has one. */
  readonly other: Portal | undefined
}

/** Opens the issuer's interface for portals. */
export function openPortal(
  target: PortalTarget,
  http: HttpClient,
  options: CallVerbOptions,
): Portal {
  const { issuerBaseUrl, organizationIdentifier, power, mailbox, other, ...verbs } = target
  const name = 'create-bearer-token'
  const addressOf = (endpoint: IssuanceEndpoint) => `${issuerBaseUrl}/issuance/${endpoint}`
  return {
    issuerBaseUrl,
    organizationIdentifier,
    power,
    async createBearerToken({ omit, expiresIn, ...claims } = {}) {
      const values = { omit, expires_in: expiresIn, ...claims }
      const answer = await callVerb(verbs[name], name, values, options)
      if (answer.outcome !== 'done') {
        endCheck(inconclusive(`There is no Bearer token. ${answer.reason}`))
      }
      const token = tokenIn(answer.json) ?? answer.text.trim()
      // With a token that the issuer cannot read, every check of the portal blames the issuer.
      if (/^[[{]/.test(token)) {
        endCheck(inconclusive(`${name} returned no token. ${formOfToken}`))
      }
      requireClaims(token, omit, claims)
      return token
    },
    get: (path) => http.request(`${issuerBaseUrl}${path}`),
    post: (endpoint, json, headers = {}, query = '') =>
      http.request(`${addressOf(endpoint)}${query}`, { json, headers }),
    send: (endpoint, request) => http.request(addressOf(endpoint), { method: 'POST', ...request }),
    mailbox: mailbox && {
      email: mailbox.email,
      async read(email = mailbox.email) {
        const answer = await callVerb(mailbox['read-mail'], 'read-mail', { email }, options)
        if (answer.outcome === 'done') return answer.text
        endCheck(inconclusive(`No email was read. ${answer.reason}`))
      },
    },
    other: other && openPortal({ ...target, ...other, other: undefined }, http, options),
  }
}

const formOfToken = 'Return it as text, or as the member "access_token" of JSON, a string.'

/** Ends the check if a token has other claims than requested: the issuer would be blamed for them. */
function requireClaims(token: string, omit: string | undefined, claims: object): void {
  const jws = parseJws(token)
  if (!jws.ok) return
  const requested = Object.entries({ ...claims, ...(omit !== undefined && { [omit]: undefined }) })
  for (const [claim, value] of requested) {
    const actual = jws.payload[claim]
    const isList = claim === 'aud' && Array.isArray(actual) && actual.length === 1
    if ((isList ? actual[0] : actual) === value) continue
    const reason =
      value === undefined
        ? `The token of create-bearer-token has the claim ${claim}. Omit the claim that {omit} names.`
        : `The claim ${claim} of create-bearer-token is not the value of {${claim}}. Copy it unchanged.`
    endCheck(inconclusive(reason, { expected: value, actual }))
  }
}

function tokenIn(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('access_token' in json)) return undefined
  return typeof json.access_token === 'string' ? json.access_token : undefined
}

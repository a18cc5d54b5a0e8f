import type { HttpAnswer, HttpClient } from '#scenarios/harness/http-client.ts'
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
}

/** The portal of an organization, which the kit plays. */
export interface Portal {
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
  /** The portal of another organization, if the target has one. */
  readonly other: Portal | undefined
}

/** Opens the issuer's interface for portals. */
export function openPortal(
  target: PortalTarget,
  http: HttpClient,
  options: CallVerbOptions,
): Portal {
  const { issuerBaseUrl, organizationIdentifier, power, other, ...verbs } = target
  const name = 'create-bearer-token'
  return {
    organizationIdentifier,
    power,
    async createBearerToken({ omit, expiresIn } = {}) {
      const values = { omit, expires_in: expiresIn }
      const answer = await callVerb(verbs[name], name, values, options)
      if (answer.outcome !== 'done') {
        endCheck(inconclusive(`There is no Bearer token. ${answer.reason}`))
      }
      return tokenIn(answer.json) ?? answer.text.trim()
    },
    get: (path) => http.request(`${issuerBaseUrl}${path}`),
    post: (endpoint, json, headers = {}, query = '') =>
      http.request(`${issuerBaseUrl}/issuance/${endpoint}${query}`, { json, headers }),
    other: other && openPortal({ ...target, ...other, other: undefined }, http, options),
  }
}

function tokenIn(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('access_token' in json)) return undefined
  return typeof json.access_token === 'string' ? json.access_token : undefined
}

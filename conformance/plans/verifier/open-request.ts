import { randomBytes } from 'node:crypto'
import { query } from 'jsonpath-rfc9535'
import { parseJws } from '#core/crypto/jws.ts'
import { isJsonObject, type JsonObject, membersOf } from '#core/json/json-object.ts'
import { parseJson } from '#core/json/read-json.ts'
import { findLink } from '#core/link/find-link.ts'
import {
  type AuthorizationRequest,
  signedRequestMediaType,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { CheckBase } from '../../kit/check.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { readPageCodes } from '../../kit/read-pages.ts'
import { callVerb } from '../../targets/adapters/call-verb.ts'
import { fillUrl } from '../../targets/adapters/fill-placeholders.ts'
import type { AdapterBase, OpenedRequest } from './context.ts'
import type { VerifierTarget } from './z-target.ts'

/** A session of the verifier, as its adapter returns it. */
interface StartedSession {
  readonly link: string
  readonly session: string | undefined
}

const createRandom = () => randomBytes(24).toString('base64url')

/** Starts a session as the target describes. Ends the check as inconclusive if that fails. */
export function startSession(
  { request }: Pick<VerifierTarget, 'request'>,
  base: AdapterBase,
): Promise<StartedSession> {
  return 'page' in request ? startOnPage(request, base) : startByCall(request, base)
}

async function startByCall(
  { call, link: linkPath, session }: Extract<VerifierTarget['request'], { readonly call: unknown }>,
  options: AdapterBase,
): Promise<StartedSession> {
  const name = 'request'
  const answer = await callVerb(call, name, { random: createRandom() }, options)
  if (answer.outcome !== 'done')
    endCheck(inconclusive(`The session did not start: ${answer.reason}`))
  const answered = linkPath === undefined ? answer.text : textAt(answer.json, linkPath)
  const link = answered === undefined ? undefined : findRequestLink(answered)
  if (link === undefined) {
    const where = linkPath === undefined ? 'in the response' : `at ${linkPath}`
    endCheck(inconclusive(`The session did not start: there is no openid4vp: link ${where}`))
  }
  return { link, session: session === undefined ? undefined : textAt(answer.json, session) }
}

async function startOnPage(
  { page, session }: Extract<VerifierTarget['request'], { readonly page: string }>,
  { httpAs }: AdapterBase,
): Promise<StartedSession> {
  const http = httpAs('browser')
  const url = fillUrl(page, { random: createRandom() }) ?? page
  const { text, status, url: address } = await createHttpBrowser([], {}, http.fetch).get(url)
  // Without the random values of this session: checks with the same reason show it once.
  const [place] = address.split('?')
  if (status !== 200) {
    endCheck(inconclusive(`The session did not start: ${place} returned HTTP ${status}`))
  }
  const link =
    findRequestLink(text) ?? findInCodes(await readPageCodes(http, { text, url: address }))
  if (link === undefined) {
    endCheck(inconclusive(`The session did not start: ${place} shows neither a link nor a QR code`))
  }
  const pattern = session === undefined ? undefined : new RegExp(session)
  return { link, session: pattern && (pattern.exec(text) ?? pattern.exec(address))?.[1] }
}

const findInCodes = (codes: readonly string[]) =>
  codes.map(findRequestLink).find((link) => link !== undefined)

const findRequestLink = (text: string) => findLink(text, 'request')?.link

function textAt(json: unknown, path: string): string | undefined {
  const [value] = json === undefined ? [] : query(json as Parameters<typeof query>[0], path)
  return value === undefined || value === null ? undefined : String(value)
}

/** Fetches a request leniently: reads any form that it may have. */
export async function readRequest(
  { link, session }: StartedSession,
  { httpAs }: CheckBase,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenedRequest> {
  const parameters = URL.parse(link)?.searchParams ?? new URLSearchParams()
  const requestUri = parameters.get('request_uri')
  const jwt = parameters.get('request')
  if (requestUri !== null) {
    // V01 reports the link.
    if (!/^https?:$/.test(URL.parse(requestUri)?.protocol ?? '')) {
      return { link, session, parameters: {} }
    }
    const fetched = await httpAs('wallet').request(requestUri, {
      headers: { accept: `${signedRequestMediaType}, application/json`, ...headers },
    })
    const { json, text } = fetched
    if (isJsonObject(json)) return { link, session, fetched, parameters: json }
    return { link, session, fetched, ...readJwt(text.trim()) }
  }
  if (jwt !== null) return { link, session, ...readJwt(jwt) }
  return { link, session, parameters: Object.fromEntries(parameters) }
}

/**
 * Returns the members that a presentation needs. Ends the check as inconclusive if one is missing.
 */
export function requestToAnswer({ parameters }: OpenedRequest): AuthorizationRequest {
  const { client_id: clientId, response_uri: responseUri, nonce, state } = parameters
  const missing = Object.entries({ client_id: clientId, response_uri: responseUri, nonce })
    .filter(([, value]) => typeof value !== 'string' || value === '')
    .map(([name]) => name)
  if (missing.length > 0) {
    const reason = `The request cannot be answered because it has no ${missing.join(', ')}; see V01.`
    endCheck(inconclusive(reason))
  }
  return {
    clientId: String(clientId),
    responseUri: String(responseUri),
    nonce: String(nonce),
    ...(typeof state === 'string' ? { state } : {}),
    dcqlQuery: createDcqlQuery({ id: queryIdOf(parameters), types: [] }),
  }
}

function readJwt(jwt: string): Pick<OpenedRequest, 'jwt' | 'parameters'> {
  const jws = parseJws(jwt)
  return { jwt, parameters: jws.ok ? jws.payload : {} }
}

/** The id of the first element of the query, which the presentation_submission must name. */
function queryIdOf(parameters: OpenedRequest['parameters']): string {
  const [first] = credentialQueriesOf(parameters)
  return typeof first?.id === 'string' ? first.id : 'credential'
}

/** The elements of the query that are objects; none if it cannot be read. */
export function credentialQueriesOf({
  dcql_query: value,
}: OpenedRequest['parameters']): readonly JsonObject[] {
  const { credentials } = membersOf(typeof value === 'string' ? parseJson(value) : value)
  return Array.isArray(credentials) ? credentials.filter(isJsonObject) : []
}

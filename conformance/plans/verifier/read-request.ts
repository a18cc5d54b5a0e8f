import { parseJws } from '#core/crypto/jws.ts'
import {
  type AuthorizationRequest,
  signedRequestMediaType,
} from '#core/oid4vp/authorization-request.ts'
import { createDcqlQuery } from '#core/oid4vp/dcql-query.ts'
import type { CheckBase } from '../../kit/check-base.ts'
import { endCheck, inconclusive } from '../../kit/finding.ts'
import type { BegunSession } from './begin-session.ts'
import type { OpenedRequest } from './context.ts'

/** Fetches a request as a wallet does that asks no questions: whatever is there is read. */
export async function readRequest(
  { link, session }: BegunSession,
  { httpAs }: CheckBase,
): Promise<OpenedRequest> {
  const parameters = URL.parse(link)?.searchParams ?? new URLSearchParams()
  const requestUri = parameters.get('request_uri')
  const jwt = parameters.get('request')
  if (requestUri !== null) {
    const fetched = await httpAs('wallet').request(requestUri, {
      headers: { accept: `${signedRequestMediaType}, application/json` },
    })
    const { json, text } = fetched
    if (isObject(json)) return { link, session, fetched, parameters: json }
    return { link, session, fetched, ...readJwt(text.trim()) }
  }
  if (jwt !== null) return { link, session, ...readJwt(jwt) }
  return { link, session, parameters: Object.fromEntries(parameters) }
}

/** What a presentation answers; ends the check as inconclusive where the request lacks it. */
export function requestToAnswer({ parameters }: OpenedRequest): AuthorizationRequest {
  const { client_id: clientId, response_uri: responseUri, nonce, state } = parameters
  const missing = Object.entries({ client_id: clientId, response_uri: responseUri, nonce })
    .filter(([, value]) => typeof value !== 'string' || value === '')
    .map(([name]) => name)
  if (missing.length > 0) {
    const reason = `The request can't be answered, as it has no ${missing.join(', ')}; see V01.`
    endCheck(inconclusive(reason))
  }
  return {
    clientId: String(clientId),
    responseUri: String(responseUri),
    nonce: String(nonce),
    ...(typeof state === 'string' ? { state } : {}),
    dcqlQuery: createDcqlQuery({ id: queryIdOf(parameters.dcql_query), types: [] }),
  }
}

function readJwt(jwt: string): Pick<OpenedRequest, 'jwt' | 'parameters'> {
  const jws = parseJws(jwt)
  return { jwt, parameters: jws.ok ? jws.payload : {} }
}

/** Id of the query's first element, which the presentation_submission has to name. */
function queryIdOf(value: unknown): string {
  const dcqlQuery = typeof value === 'string' ? parseJson(value) : value
  const credentials = isObject(dcqlQuery) ? dcqlQuery.credentials : undefined
  const first: unknown = Array.isArray(credentials) ? credentials[0] : undefined
  return isObject(first) && typeof first.id === 'string' ? first.id : 'credential'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

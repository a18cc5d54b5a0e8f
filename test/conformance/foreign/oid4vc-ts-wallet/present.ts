import { randomUUID } from 'node:crypto'
import type { CallbackContext } from '@openid4vc/oauth2'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { decodeJwt } from 'jose'
import { query as evaluateJsonPath, type JsonValue } from 'jsonpath-rfc9535'
import { z } from 'zod'
import type { Account } from './open-store.ts'

export interface PresentOptions {
  readonly callbacks: CallbackContext
  readonly account: Account
  readonly link: string
  readonly held: readonly string[]
}

/** Presents one credential, as far as oid4vc-ts supports it; returns the address at which the browser continues. */
export async function present(options: PresentOptions): Promise<{ redirectUri?: string }> {
  const { callbacks, account, link, held } = options
  const client = new Openid4vpClient({ callbacks })
  const { params } = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link })
  const resolved = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: await withClientId(params),
  })
  const { authorizationRequestPayload: request, dcql, client: verifier } = resolved
  const { response_uri: responseUri } = z.looseObject({ response_uri: z.string() }).parse(request)
  if (!dcql) throw new Error('the request has no dcql_query')
  const { queryId, credential } = selectCredential(dcql.query, held)
  const now = Math.floor(Date.now() / 1000)
  // Glue: oid4vc-ts makes no presentations.
  const { jwt } = await callbacks.signJwt(
    { method: 'did', didUrl: account.didUrl, alg: 'EdDSA' },
    {
      header: { alg: 'EdDSA', typ: 'JWT', kid: account.didUrl },
      payload: {
        iss: account.did,
        aud: verifier.effective,
        nonce: request.nonce,
        iat: now,
        exp: now + 300,
        vp: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiablePresentation'],
          verifiableCredential: [credential],
        },
      },
    },
  )
  const { authorizationResponsePayload } = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: request,
    // Glue: with a dcql_query OpenID4VP 1.0 has a vp_token that is an object and no submission.
    authorizationResponsePayload: {
      vp_token: jwt,
      presentation_submission: createSubmission(queryId),
    },
  })
  const { response } = await client.submitOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: { response_uri: responseUri },
    authorizationResponsePayload,
  })
  if (!response.ok) throw new Error(`the verifier answered ${response.status}`)
  const { data } = zAnswer.safeParse(await response.json().catch(() => undefined))
  return data ? { redirectUri: data.redirect_uri } : {}
}

const zAnswer = z.object({ redirect_uri: z.string() })

/**
 * Glue: the profile's links have only a request_uri, while the library also requires the client_id
 * and compares the two. It is taken from the request itself.
 */
async function withClientId<Params extends object>(
  params: Params & { readonly client_id?: unknown; readonly request_uri?: unknown },
): Promise<Params | { client_id: string; request: string }> {
  if (params.client_id !== undefined || typeof params.request_uri !== 'string') return params
  const response = await fetch(params.request_uri, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the request_uri answers ${response.status}`)
  const request = await response.text()
  return { client_id: String(decodeJwt(request).client_id), request }
}

function createSubmission(queryId: string) {
  return {
    id: randomUUID(),
    definition_id: 'dcql_query',
    descriptor_map: [
      {
        id: queryId,
        format: 'jwt_vp',
        path: '$',
        path_nested: { id: queryId, format: 'jwt_vc', path: '$.vp.verifiableCredential[0]' },
      },
    ],
  }
}

const zQuery = z.looseObject({
  credentials: z.tuple([
    z.looseObject({
      id: z.string(),
      format: z.string(),
      meta: z.looseObject({ vct_values: z.array(z.string()).optional() }).optional(),
      claims: z.array(z.looseObject({ path: z.array(z.string()) })).optional(),
    }),
  ]),
})

const zCredential = z.looseObject({ type: z.array(z.string()) })

/**
 * Glue: oid4vc-ts leaves the query to the package dcql, and that one refuses `vct_values` for the
 * format jwt_vc_json and has no JSONPath, which the profile's queries consist of.
 */
function selectCredential(
  dcqlQuery: unknown,
  held: readonly string[],
): { queryId: string; credential: string } {
  const [wanted] = zQuery.parse(dcqlQuery).credentials
  if (wanted.format !== 'jwt_vc_json') throw new Error(`no credential of format ${wanted.format}`)
  const credential = held.find((jwt) => {
    const payload = decodeJwt(jwt)
    const { type: types } = zCredential.parse(payload.vc)
    const { meta, claims = [] } = wanted
    return (
      (meta?.vct_values?.some((type) => types.includes(type)) ?? true) &&
      claims.every(({ path: paths }) =>
        paths.every((path) => evaluateJsonPath(payload as JsonValue, path).length > 0),
      )
    )
  })
  if (credential === undefined) throw new Error('no credential matches the query')
  return { queryId: wanted.id, credential }
}

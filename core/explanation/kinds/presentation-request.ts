import { type DidEnvironment, parseDidOrg } from '#core/did/did-org.ts'
import type { JsonObject } from '#core/json/json-object.ts'
import {
  authorizationRequestRules,
  evaluateAuthorizationRequestUri,
  signedRequestType,
} from '#core/oid4vp/authorization-request.ts'
import { didOf, evaluateSignedRequest, requestFormatRule } from '#core/oid4vp/signed-request.ts'
import { breakRule, evaluateRules, type Rule, type RuleText } from '#core/verification/rules.ts'
import {
  type ExplainableKind,
  type ExplainedContent,
  type ExplainedFact,
  type ExplainOptions,
  factsOf,
  joinContents,
  notRecognised,
  timeOf,
} from '../explanation.ts'
import { createPolicyAndSources, followReference } from '../policy-and-sources.ts'
import { asObject, type InputJwt, parseJson, readJwt } from '../read-input.ts'

/** The facts of a presentation request, from its parameters. */
function requestFacts(parameters: JsonObject): readonly ExplainedFact[] {
  const { client_id, response_uri, nonce, state, dcql_query, iat, exp } = parameters
  return factsOf([
    ['Verifier', client_id],
    ['Response to', response_uri],
    ['Nonce', nonce],
    ['State', state],
    ...queriesIn(dcql_query).map((query) => ['Requests', query] as const),
    ['Created', timeOf(iat)],
    ['Expires', timeOf(exp)],
  ])
}

function queriesIn(value: unknown): readonly string[] {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined
  const query = asObject(parsed?.ok ? parsed.value : value)
  const credentials = Array.isArray(query?.credentials) ? query.credentials.slice(0, 16) : []
  return credentials.map((element: unknown) => {
    const { id, format, meta, claims } = asObject(element) ?? {}
    const types = [asObject(meta)?.vct_values].flat().filter((type) => typeof type === 'string')
    const paths = Array.isArray(claims)
      ? claims.flatMap((claim: unknown) => asObject(claim)?.path ?? [])
      : []
    const asked = paths.length === 0 ? '' : ` with ${paths.map(String).join(', ')}`
    return `${types.join(' or ') || String(format)} (${String(id)})${asked}`
  })
}

/** A presentation request as a signed JWT. */
export const signedRequestKind: ExplainableKind = {
  kind: 'signed-authorization-request',
  title: 'signed presentation request',
  recognise: ({ jwt, jwtProblem }) => {
    if (!jwt) return notRecognised(`it is not a JWT: ${jwtProblem}`)
    const { header, payload } = jwt.jws
    const by =
      header.typ === signedRequestType
        ? `a JWT of typ ${signedRequestType}`
        : ['response_type', 'dcql_query', 'presentation_definition'].some((name) => name in payload)
          ? 'a JWT with the parameters of a presentation request'
          : undefined
    if (by === undefined) {
      return notRecognised(`the JWT is neither of typ ${signedRequestType} nor has response_type`)
    }
    return { ok: true, by, explain: (options) => explainSignedRequest(jwt, options) }
  },
}

/** `clientId` is the client_id of the link that contains the request, if any. */
async function explainSignedRequest(
  { compact, jws }: InputJwt,
  options: ExplainOptions,
  clientId?: string,
): Promise<ExplainedContent> {
  const { sources } = createPolicyAndSources(options, environmentOf(jws.payload.client_id))
  const { failures, checked } = await evaluateSignedRequest({
    jwt: compact,
    ...(clientId === undefined ? {} : { clientId }),
    now: options.now,
    resolveDidDocument: sources.resolveDidDocument,
  })
  return {
    failures,
    checked,
    facts: requestFacts(jws.payload),
    content: { header: jws.header, payload: jws.payload },
    dialect: { kind: 'authorization-request', message: jws.payload },
  }
}

function environmentOf(clientId: unknown): DidEnvironment {
  return parseDidOrg(didOf(clientId) ?? '')?.environment ?? 'pre'
}

const parameterNames = [
  'response_type',
  'dcql_query',
  'presentation_definition',
  'request_uri',
  'request',
]

/** A presentation request: its link, alone or within other text, or its parameters as JSON. */
export const authorizationRequestKind: ExplainableKind = {
  kind: 'authorization-request',
  title: 'presentation request',
  recognise: ({ link, json, jsonProblem }) => {
    if (link?.kind === 'request') {
      return {
        ok: true,
        by: 'a link of a presentation request',
        explain: (options) => explainLink(link.link, options),
      }
    }
    const name = parameterNames.find((parameter) => json && parameter in json)
    if (json && name !== undefined) {
      return {
        ok: true,
        by: `JSON with ${name}`,
        explain: () => explainParameters(json),
      }
    }
    return notRecognised(
      json
        ? `the JSON does not contain any of ${parameterNames.join(', ')}`
        : `it contains no openid4vp: link and is not the JSON of a request: ${jsonProblem}`,
    )
  },
}

/** The rule for the address in a link, which is fetched only if fetching is allowed. */
export const requestReferenceRule: RuleText = {
  rule: 'request.reference',
  statement: 'The request can be fetched from request_uri.',
  fix: 'Serve the request at request_uri until it expires.',
  path: 'request_uri',
}

async function explainLink(link: string, options: ExplainOptions): Promise<ExplainedContent> {
  const { found, ...carried } = evaluateAuthorizationRequestUri(link)
  if (!found) return { ...carried, facts: [], content: undefined }
  if (found.delivery === 'value') return joinContents(carried, explainParameters(found.parameters))
  const { clientId } = found
  if (found.delivery === 'signed') {
    return joinContents(carried, await explainRequestText(found.requestJwt, options, clientId))
  }
  const followed = await followReference(options, requestReferenceRule, found.requestUri)
  const reached = joinContents(carried, followed)
  if (followed.text === undefined) return reached
  return joinContents(reached, await explainRequestText(followed.text, options, clientId))
}

/** Explains a request that is a JWT or JSON. */
function explainRequestText(
  text: string,
  options: ExplainOptions,
  clientId: string | undefined,
): ExplainedContent | Promise<ExplainedContent> {
  const json = parseJson(text)
  const parameters = json.ok ? asObject(json.value) : undefined
  if (parameters) return explainParameters(parameters, clientId)
  const jwt = readJwt(text)
  if (jwt.ok) return explainSignedRequest(jwt.jwt, options, clientId)
  return { ...breakRule(requestFormatRule, jwt.problem), facts: [], content: undefined }
}

function explainParameters(parameters: JsonObject, clientId?: string): ExplainedContent {
  const rules = clientId === undefined ? [] : [sameClientRule(clientId)]
  return {
    ...evaluateRules([...authorizationRequestRules, ...rules], parameters),
    facts: requestFacts(parameters),
    content: parameters,
    dialect: { kind: 'authorization-request', message: parameters },
  }
}

const sameClientRule = (clientId: string): Rule<JsonObject> => ({
  rule: 'request.client-id',
  statement: 'client_id equals the client_id of the link.',
  fix: 'Use the same client_id in the link and in the request.',
  path: 'client_id',
  evaluate: ({ client_id }, { fail }) => {
    if (client_id !== clientId) fail('the client_id of the link is different', undefined, clientId)
  },
})

import { authorizationRequestRules } from '#core/oid4vp/authorization-request/authorization-request-rules.ts'
import { evaluateAuthorizationRequestUri } from '#core/oid4vp/authorization-request/evaluate-authorization-request-uri.ts'
import { evaluateRules, type Rule } from '#core/verification/evaluate-rules.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { followReference } from '../follow-reference.ts'
import { joinContents } from '../join-contents.ts'
import { asObject, type JsonObject, parseJson, readJwt } from '../read-input.ts'
import { requestFacts } from './request-facts.ts'
import { explainSignedRequest } from './signed-request.ts'

const parameterNames = [
  'response_type',
  'dcql_query',
  'presentation_definition',
  'request_uri',
  'request',
]

/** A presentation request: its link, alone or in a text, or its parameters as JSON. */
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
        ? `the JSON has none of ${parameterNames.join(', ')}`
        : `there is no openid4vp: link in it, and as JSON ${jsonProblem}`,
    )
  },
}

async function explainLink(link: string, options: ExplainOptions): Promise<ExplainedContent> {
  const { found, ...carried } = evaluateAuthorizationRequestUri(link)
  if (!found) return { ...carried, facts: [], content: undefined }
  if (found.delivery === 'value') return joinContents(carried, explainParameters(found.parameters))
  const { clientId } = found
  if (found.delivery === 'signed') {
    return joinContents(carried, await explainRequestText(found.requestJwt, options, clientId))
  }
  const followed = await followReference(options, {
    rule: 'request.reference',
    statement: 'The request can be fetched from request_uri.',
    path: 'request_uri',
    url: found.requestUri,
  })
  const reached = joinContents(carried, followed)
  if (followed.text === undefined) return reached
  return joinContents(reached, await explainRequestText(followed.text, options, clientId))
}

/** A request as a JWT, or what was served instead of one. */
async function explainRequestText(
  text: string,
  options: ExplainOptions,
  clientId: string | undefined,
): Promise<ExplainedContent> {
  const json = parseJson(text)
  const parameters = json.ok ? asObject(json.value) : undefined
  if (parameters) return explainParameters(parameters, clientId)
  const jwt = readJwt(text)
  if (jwt.ok) return explainSignedRequest(jwt.jwt, options, clientId)
  const rule = 'request.format'
  return {
    failures: [{ rule, reason: jwt.problem, path: '' }],
    checked: [{ rule, statement: 'The request is a JWT.', passed: false, notes: [] }],
    facts: [],
    content: undefined,
  }
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
  statement: 'It is the one that the link names.',
  path: 'client_id',
  evaluate: ({ client_id }, { fail }) => {
    if (client_id !== clientId) fail('the link names another one', undefined, clientId)
  },
})

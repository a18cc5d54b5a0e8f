import type { Rule } from '#core/verification/evaluate-rules.ts'
import { deepestNesting, nestsDeeperThan } from '#core/verification/nests-deeper-than.ts'
import { zDcqlQuery } from '../dcql-query/z-dcql-query.ts'

/** The parameters of a presentation request, from a link or from a signed request's payload. */
export type AuthorizationRequestParameters = Readonly<Record<string, unknown>>

/** What has to hold for each of them (Document 1, Presentation authorization_request). */
export const authorizationRequestRules: readonly Rule<AuthorizationRequestParameters>[] = [
  {
    rule: 'request.response-type',
    statement: 'response_type is vp_token.',
    path: 'response_type',
    evaluate: ({ response_type }, { fail }) => {
      if (response_type !== 'vp_token')
        fail('it has to be vp_token', undefined, text(response_type))
    },
  },
  {
    rule: 'request.response-mode',
    statement: 'response_mode is direct_post.',
    path: 'response_mode',
    evaluate: ({ response_mode }, { fail }) => {
      if (response_mode !== 'direct_post') {
        fail('it has to be direct_post', undefined, text(response_mode))
      }
    },
  },
  {
    rule: 'request.response-uri',
    statement: 'response_uri is a web address.',
    path: 'response_uri',
    evaluate: ({ response_uri }, { fail }) => {
      if (!isWebAddress(response_uri)) {
        fail('it is no web address', undefined, text(response_uri))
      }
    },
  },
  {
    rule: 'request.redirect-uri',
    statement: 'No redirect_uri stands beside direct_post (OpenID4VP 1.0, 8.2).',
    path: 'redirect_uri',
    evaluate: ({ redirect_uri }, { fail }) => {
      if (redirect_uri !== undefined) fail('it must not stand beside direct_post')
    },
  },
  {
    rule: 'request.client-id',
    statement: 'client_id names the verifier.',
    path: 'client_id',
    evaluate: ({ client_id }, { fail }) => {
      if (!isText(client_id)) fail('it is missing')
    },
  },
  {
    rule: 'request.nonce',
    statement: 'nonce is there.',
    path: 'nonce',
    evaluate: ({ nonce }, { fail }) => {
      if (!isText(nonce)) fail('it is missing')
    },
  },
  {
    rule: 'request.presentation-definition',
    statement: 'What is asked for is told by dcql_query, not by a DIF presentation definition.',
    path: 'presentation_definition',
    evaluate: ({ presentation_definition, presentation_definition_uri }, { fail }) => {
      if (presentation_definition !== undefined || presentation_definition_uri !== undefined) {
        fail('DIF presentation definitions are not supported, send a dcql_query')
      }
    },
  },
  {
    rule: 'request.dcql-query',
    statement: 'dcql_query asks for credentials in the form of document 1.',
    path: 'dcql_query',
    evaluate: ({ dcql_query }, { fail }) => {
      const query = readDcqlQuery(dcql_query)
      if (query?.success) return
      const issue = query?.error.issues[0]
      const path = ['dcql_query', ...(issue?.path ?? [])].join('.')
      fail(issue?.message ?? 'it is missing or no JSON', path)
    },
  },
]

/** Reads the query, which a link carries as JSON text; undefined where it is no JSON. */
export function readDcqlQuery(value: unknown): ReturnType<typeof zDcqlQuery.safeParse> | undefined {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (parsed === undefined || nestsDeeperThan(parsed, deepestNesting)) return undefined
  return zDcqlQuery.safeParse(parsed)
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Says whether a parameter is there: a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isWebAddress(value: unknown): value is string {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

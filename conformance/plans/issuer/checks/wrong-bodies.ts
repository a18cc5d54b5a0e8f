import { createDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import { createTokenRequest, preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { documentedMessages } from '#scenarios/fixtures/portal.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
import { defineChecks, type Finding } from '../../../kit/check.ts'
import { asPremise, findRefusal } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import { defer } from '../credentials.ts'
import { listRecords, portalEndpoints, signIn, validBody } from '../portal-steps.ts'
import { askForCredential, askForToken, reachAnswer, readOffer, redeem } from '../redeeming.ts'
import { findDocumentedRefusal, findStackTrace, findWalletRefusal } from '../refusals.ts'

/** Content types that JSON does not have. */
const wrongTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'as text/plain': { 'content-type': 'text/plain' },
  'as a form': { 'content-type': 'application/x-www-form-urlencoded' },
  'as application/jsonp': { 'content-type': 'application/jsonp' },
  'without a content type': {},
}

/** The same JSON with each of them. */
const withWrongTypes = (
  json: unknown,
): readonly (readonly [what: string, request: HttpRequest])[] =>
  Object.entries(wrongTypes).map(([what, headers]) => [
    what,
    { body: JSON.stringify(json), headers },
  ])

/** Bodies that are JSON, but not an object with the documented members. */
const wrongBodies: Readonly<Record<string, unknown>> = {
  'an empty object': {},
  'an empty list': [],
  null: null,
  'a number': 7,
  'a string': 'text',
}

/** The member twice, first wrong and then right: parsers read different ones. */
const twice = (name: string, document: string): string =>
  `{"${name}":"kit-wrong",${document.slice(1)}`

/** Changes of a JSON document that two parsers may read differently. */
const ambiguities: Readonly<
  Record<string, (document: string) => string | Uint8Array<ArrayBuffer>>
> = {
  'with format twice': (document) => twice('format', document),
  'with format twice, once with an escape': (document) => twice('form\\u0061t', document),
  'with format twice after lists and objects': (document) =>
    `{"kit":[[],{"kit":[7,{}]}],${twice('format', document).slice(1)}`,
  'with format twice after quotation marks in strings': (document) =>
    JSON.stringify({ kit: ['\\', '\\"}', '"]'] }).slice(0, -1) +
    `,${twice('format', document).slice(1)}`,
  'with format twice after a quotation mark in a string': (document) =>
    `{"kit":"\\"\\u0022x",${twice('format', document).slice(1)}`,
  'with format twice after a backslash in a string': (document) =>
    `{"kit":"\\\\",${twice('format', document).slice(1)}`,
  'with proof_type twice': (document) =>
    document.replace('"proof":{', '"proof":{"proof_type":"kit-wrong",'),
  'with a name twice in an unknown member': (document) =>
    `{"kit":{"a":[{"b":1}],"a":2},${document.slice(1)}`,
  'that is not in UTF-8': (document) =>
    Buffer.concat([
      Buffer.from('{"kit":"'),
      Buffer.of(0xff),
      Buffer.from(`",${document.slice(1)}`),
    ]),
}

const authorized = ({ headers, ...request }: HttpRequest, authorization: string): HttpRequest => ({
  ...request,
  headers: { ...headers, authorization },
})

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
const jsonHeaders = { 'content-type': 'application/json' }

/** Invalid requests to the token endpoint. */
const tokenRequests: Readonly<Record<string, HttpRequest>> = {
  'no body': { body: '', headers: formHeaders },
  'a code with U+0000': {
    form: { grant_type: preAuthorizedCodeGrant, 'pre-authorized_code': 'a\u0000b' },
  },
  'a code of 8 000 characters': {
    form: { grant_type: preAuthorizedCodeGrant, 'pre-authorized_code': 'x'.repeat(8000) },
  },
  'broken escapes': { body: 'grant_type=%zz&pre-authorized_code=%', headers: formHeaders },
}

/** Invalid requests to the credential endpoint, with a valid access token. */
const credentialRequests: Readonly<Record<string, HttpRequest>> = {
  'half a JSON document': { body: '{"format": "jwt_vc', headers: jsonHeaders },
  'half a string': { body: '"jwt_vc', headers: jsonHeaders },
  null: { body: 'null', headers: jsonHeaders },
  'a form': { body: 'format=jwt_vc_json', headers: formHeaders },
  'types that are not a list': { json: { format: 'jwt_vc_json', types: 7, proof: {} } },
  'JSON nested 20 000 deep': {
    body: `{"format": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    headers: jsonHeaders,
  },
  'a prototype': { body: '{"__proto__": {"format": "jwt_vc_json"}}', headers: jsonHeaders },
}

export const checks = defineChecks<IssuerContext>({
  'I53-body-of-another-shape': {
    title: 'A request or proof that is not an object is rejected without a server error',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9', '1.endpoints.1'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
    description:
      'A client must not be able to cause a server error; a 5xx shows missing input validation.',
    sends:
      'The proof JWT itself as proof, a list, a number and null as proof, and the whole request in a list, each with a new offer.',
    decides:
      'The credential endpoint returns 4xx for each. A repeated 5xx, while a valid request succeeds, is a WARN.',
    fix: 'Validate that the body and proof are JSON objects before you read their members. Reject anything else with 400, not with a 5xx.',
    run(context) {
      return findEach(shapes, async ([what, change]) => {
        const session = await redeem(context)
        const json = change(createRequestBody(session.wallet, session))
        const answer = await askForCredential(context, session, { json })
        return findWalletRefusal(answer, { what: `The credential request with ${what}` })
      })
    },
  },
  'I93-nonsense': {
    title: 'No client request makes the issuer fail',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints.1'],
    description: 'A 500 for a public request may indicate a worse problem.',
    sends: `To the token endpoint ${Object.keys(tokenRequests).join(', ')}; to the credential endpoint ${Object.keys(credentialRequests).join(', ')}.`,
    decides:
      'Each returns 4xx, without a stack trace. A 5xx counts if it is repeated while a valid request succeeds.',
    fix: 'Validate the form and the JSON body at the token and credential endpoints before you use them. Reject syntax errors, wrong types, U+0000 and excessive lengths with 400, not with a 5xx or a stack trace.',
    async run(context) {
      const { resolved, token } = await redeem(context)
      const { tokenEndpoint, credentialEndpoint } = resolved.metadata
      const authorization = `Bearer ${token.accessToken}`
      const requests = [
        ...Object.entries(tokenRequests).map(([what, request]) => ({
          what: `The token request with ${what}`,
          url: tokenEndpoint,
          request,
        })),
        ...Object.entries(credentialRequests).map(([what, request]) => ({
          what: `The credential request with ${what}`,
          url: credentialEndpoint,
          request: { ...request, headers: { ...request.headers, authorization } },
        })),
      ]
      return findEach(requests, async ({ what, url, request }) => {
        const answer = await context.http.request(url, { method: 'POST', ...request })
        const finding = findWalletRefusal(answer, { what })
        return finding.kind === 'held' ? (findStackTrace(answer, what) ?? finding) : finding
      })
    },
  },
  'I148-other-content-types': {
    title: 'A body with another content type is rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.endpoints.1'],
    clauses: ['RFC 9110, 15.5.16'],
    description:
      'Pages of any origin can send forms and text/plain without asking the browser. If a gateway reads a body by its content type and the issuer does not, they see different requests.',
    sends: `To the credential endpoint, if possible to the deferred endpoint and to all endpoints for portals, the documented JSON ${Object.keys(wrongTypes).join(', ')}; to the token endpoint the form as text/plain, as multipart/form-data and without a content type. Then the correct requests.`,
    decides: 'Each returns 4xx, and the correct requests succeed.',
    fix: 'Read a body only if its Content-Type is application/json, and at the token endpoint application/x-www-form-urlencoded. Reject any other type with 415 or 400.',
    async run(context) {
      const session = await redeem(context)
      const { credentialEndpoint } = session.resolved.metadata
      const bearer = `Bearer ${session.token.accessToken}`
      const json = createRequestBody(session.wallet, session)
      const credential = await findOtherTypesRefused('credential request', json, (request) =>
        context.http.request(credentialEndpoint, {
          method: 'POST',
          ...authorized(request, bearer),
        }),
      )
      if (credential.kind !== 'held') return credential
      await reachAnswer('the credential request', askForCredential(context, session, { json }))
      context.proven.add('offer')
      const token = await findFormsRefused(context)
      if (token.kind !== 'held') return token
      if (context.can('deferred')) {
        const { acceptanceToken, poll } = await defer(context)
        const poll1 = await findOtherTypesRefused(
          'poll',
          createDeferredCredentialRequest(acceptanceToken),
          poll,
        )
        if (poll1.kind !== 'held') return poll1
        await reachAnswer('polling as documented', poll())
      }
      if (!context.can('portal')) return credential
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      await asPremise('listing credentials', listRecords(signedIn))
      const endpoints = portalEndpoints.filter((name) => name !== 'employee')
      return findEach(endpoints, (endpoint) =>
        findOtherTypesRefused(
          `request to /issuance/${endpoint}`,
          validBody(endpoint, portal),
          (request) => portal.send(endpoint, authorized(request, headers.authorization)),
        ),
      )
    },
  },
  'I162-ambiguous-json': {
    title: 'A body that parsers read differently is rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['RFC 8259, 4'],
    description:
      'If a gateway uses the first of two members and the issuer the last one, an attacker chooses what each of them sees.',
    sends: `The documented credential request ${Object.keys(ambiguities).join(', ')}. Then the documented one.`,
    decides: 'Each returns 4xx without a credential, and the documented request gets one.',
    fix: 'Reject a JSON body that contains a member twice or is not in UTF-8 before you use it. Return 400 invalid_request.',
    async run(context) {
      const session = await redeem(context)
      const document = JSON.stringify(createRequestBody(session.wallet, session))
      const headers = { ...jsonHeaders, authorization: `Bearer ${session.token.accessToken}` }
      const url = session.resolved.metadata.credentialEndpoint
      const finding = await findEach(Object.entries(ambiguities), async ([what, change]) => {
        const body = change(document)
        const answer = await context.http.request(url, { method: 'POST', headers, body })
        return findRefusal(answer, { what: `The credential request ${what}` })
      })
      if (finding.kind !== 'held') return finding
      await reachAnswer('the documented request', askForCredential(context, session))
      context.proven.add('offer')
      return finding
    },
  },
  'I149-malformed-portal-bodies': {
    title: 'A request of a portal without the documented members is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.2', '1.endpoints.1'],
    description:
      'A missing member must not be replaced by a default, and a client must not be able to cause a server error.',
    sends: `To each endpoint for portals, with a valid token, ${Object.keys(wrongBodies).join(', ')}, and JSON without its end.`,
    decides: `Each returns 4xx. At /issuance/representative and /issuance/employee the status for an empty object is 400, and the response contains "${documentedMessages.missingData}". The profile does not specify the rejections of the other endpoints: accepting such a body there is a WARN, and so is a stack trace in a response.`,
    fix: `Validate the body at every endpoint for portals. At /issuance/representative and /issuance/employee, return 400 with the message "${documentedMessages.missingData}", elsewhere a 4xx, without a stack trace.`,
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      await asPremise('listing credentials', listRecords(signedIn))
      const requests = [
        ...Object.entries(wrongBodies).map(([what, json]) => [what, JSON.stringify(json)] as const),
        ['JSON without its end', '{"power": ['] as const,
      ]
      return findEach(portalEndpoints, (endpoint) => {
        const isIssuance = endpoint === 'representative' || endpoint === 'employee'
        return findEach(requests, async ([what, body]): Promise<Finding> => {
          const request = authorized({ body, headers: jsonHeaders }, headers.authorization)
          const answer = await portal.send(endpoint, request)
          const described = `The request to /issuance/${endpoint} with ${what}`
          if (isIssuance && body === '{}') {
            return findDocumentedRefusal(answer, described, documentedMessages.missingData)
          }
          const finding = findRefusal(answer, { what: described })
          if (finding.kind === 'held') return findStackTrace(answer, described) ?? finding
          return finding.kind === 'broken' && !isIssuance
            ? { level: 'practice', ...finding }
            : finding
        })
      })
    },
  },
})

/** Sends JSON with wrong content types, which must be rejected. */
const findOtherTypesRefused = (
  name: string,
  json: unknown,
  send: (request: HttpRequest) => Promise<HttpAnswer>,
): Promise<Finding> =>
  findEach(withWrongTypes(json), async ([what, request]) =>
    findRefusal(await send(request), { what: `The ${name} ${what}` }),
  )

/** Sends the documented form with wrong content types; then it must succeed as documented. */
async function findFormsRefused(context: IssuerContext): Promise<Finding> {
  const { resolved } = await readOffer(context)
  const form = createTokenRequest({ preAuthorizedCode: resolved.preAuthorizedCode })
  const boundary = 'kit'
  const parts = Object.entries(form).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const text = new URLSearchParams(form).toString()
  const requests: Readonly<Record<string, HttpRequest>> = {
    'as text/plain': { body: text, headers: { 'content-type': 'text/plain' } },
    'as multipart/form-data': {
      body: `${parts.join('')}--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    },
    'without a content type': { body: text },
  }
  const finding = await findEach(Object.entries(requests), async ([what, request]) =>
    findRefusal(await askForToken(context, resolved, request), {
      what: `The token request ${what}`,
    }),
  )
  if (finding.kind === 'held') {
    await reachAnswer('the token request', askForToken(context, resolved))
  }
  return finding
}

type Body = ReturnType<typeof createRequestBody>

/** Changes of the documented body that make it or its proof something else than an object. */
const shapes: readonly (readonly [what: string, change: (body: Body) => unknown])[] = [
  ['the proof JWT as proof', ({ proof, ...body }) => ({ ...body, proof: proof.jwt })],
  ['a list as proof', ({ proof, ...body }) => ({ ...body, proof: [proof] })],
  ['a number as proof', (body) => ({ ...body, proof: 7 })],
  ['null as proof', (body) => ({ ...body, proof: null })],
  ['a list as body', (body) => [body]],
]

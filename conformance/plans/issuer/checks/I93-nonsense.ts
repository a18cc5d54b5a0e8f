import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import { defineCheck, findEach } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { redeem } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

/** Invalid requests to the token endpoint. */
const tokenRequests: Readonly<Record<string, HttpRequest>> = {
  'no body': { body: '', headers: form },
  'a code with U+0000': {
    form: { grant_type: preAuthorizedCodeGrant, 'pre-authorized_code': 'a\u0000b' },
  },
  'a code of 8 000 characters': {
    form: { grant_type: preAuthorizedCodeGrant, 'pre-authorized_code': 'x'.repeat(8000) },
  },
  'broken escapes': { body: 'grant_type=%zz&pre-authorized_code=%', headers: form },
}

/** Invalid requests to the credential endpoint, with a valid access token. */
const credentialRequests: Readonly<Record<string, HttpRequest>> = {
  'half a JSON document': { body: '{"format": "jwt_vc', headers: json },
  'half a string': { body: '"jwt_vc', headers: json },
  null: { body: 'null', headers: json },
  'a form': { body: 'format=jwt_vc_json', headers: form },
  'types that are not a list': { json: { format: 'jwt_vc_json', types: 7, proof: {} } },
  'JSON nested 20 000 deep': {
    body: `{"format": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    headers: json,
  },
  'a prototype': { body: '{"__proto__": {"format": "jwt_vc_json"}}', headers: json },
}

export const check = defineCheck<IssuerContext>({
  id: 'I93',
  title: 'No client request makes the issuer fail',
  level: 'practice',
  expectation: 'refuse',
  control: 'offer',
  rows: ['1.endpoints.1'],
  description: 'A 500 for a public request may indicate a worse problem.',
  sends: `To the token endpoint ${Object.keys(tokenRequests).join(', ')}; to the credential endpoint ${Object.keys(credentialRequests).join(', ')}.`,
  decides: 'Each returns 4xx. A 5xx counts if it is repeated while a valid request succeeds.',
  fix: 'Validate the form and the JSON body at the token and credential endpoints before you use them. Answer syntax errors, wrong types, U+0000 and excessive lengths with 400, not with a 5xx.',
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
    return findEach(requests, async ({ what, url, request }) =>
      findWalletRefusal(await context.http.request(url, { method: 'POST', ...request }), { what }),
    )
  },
})

import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
import { defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  errorOf,
  findRefusal,
  requireAnswer,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach, worstOf } from '../../../kit/find-each.ts'
import { isUuid, nearMissesOf, spaceAtEnd } from '../../../kit/near-misses.ts'
import type { IdpContext } from '../context.ts'
import { findClientsRejected, madeUpForm } from '../redeem-codes.ts'
import { findSessionCode, statusAddress } from '../sessions.ts'

const form = 'application/x-www-form-urlencoded'

/** What HttpURLConnection sends unless its caller sets another one. */
const acceptOfJava = 'text/html, image/gif, image/jpeg, */*; q=0.2'

const percentEncode = (text: string) =>
  text.replace(/[^a-z0-9]/gi, (each) =>
    [...Buffer.from(each)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  )

/** How clients call the token endpoint: method, form, credentials, and the form of errors. */
export const checks = defineChecks<IdpContext>({
  'O65-client-of-the-credentials': {
    title: 'The credentials must be those of the client that the request names',
    level: 'spec',
    expectation: 'refuse',
    control: 'client',
    rows: ['1.authentication.4', '1.errors.8'],
    clauses: ['RFC 6749, 2.3'],
    description:
      'An IDP that authenticates one client and serves another gives one relying party the logins of the other.',
    sends:
      'Token requests with near misses of client_id, also with a space at its end, and the correct secret. Without a wallet login, a made-up code.',
    decides:
      'Each is rejected while the correct credentials are accepted. Accepting the space, a status other than 400 or 401, or an error other than invalid_client, is a warning.',
    fix: 'Look up client_id as a complete string, and compare the secret with that of this client. If it is unknown, return 401 invalid_client.',
    async run(context) {
      const { client, secondClient } = context.target
      const known = [client.clientId, secondClient?.clientId]
      const others = [
        ...nearMissesOf(client.clientId).map(({ what, change }) => ({
          what: `with a client_id that ${what}`,
          clientId: change(client.clientId),
        })),
        {
          what: `with a client_id that ${spaceAtEnd.what}`,
          clientId: spaceAtEnd.change(client.clientId),
          level: 'practice' as const,
        },
        ...(isUuid(client.clientId)
          ? []
          : [{ what: 'with a client_id in upper case', clientId: client.clientId.toUpperCase() }]),
        ...(secondClient
          ? [{ what: 'with the id of another client', clientId: secondClient.clientId }]
          : []),
      ]
      const cases = others
        .filter(
          ({ what, clientId }) => !known.includes(clientId) || what.includes('another client'),
        )
        .map(({ clientId, ...each }) => ({
          ...each,
          party: { ...client, clientId },
          form: { client_id: clientId },
        }))
      return findClientsRejected(context, cases, {
        statuses: [400, 401],
        statusLevel: 'practice',
        errors: ['invalid_client', 'invalid_request'],
        errorLevel: 'practice',
      })
    },
  },
  'O66-one-authentication': {
    title: 'Contradictory client credentials are rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'client',
    clauses: ['RFC 6749, 2.3'],
    description:
      'If a request has two credentials, a proxy may check one and the IDP the other. A client uses only one method in a request.',
    sends:
      "Token requests with the client's correct credentials in the Basic header, and another client_id or a wrong secret in the body. Without a wallet login, a made-up code.",
    decides: 'Each is rejected with an error about the client or the request.',
    fix: 'If a token request has an Authorization header and client_secret in the body, or another client_id there, return 400 invalid_request or 401 invalid_client.',
    async run(context) {
      const { client, clientAuthentication } = context.target
      if (clientAuthentication !== 'basic')
        return inconclusive('The client of the target does not use the Basic header.')
      const cases = [
        {
          what: 'with a Basic header and a wrong secret in the body',
          form: { client_secret: 'this is a wrong secret' },
        },
        {
          what: 'with a Basic header and another client_id in the body',
          form: { client_id: `${client.clientId}2` },
        },
      ]
      return findClientsRejected(context, cases, {
        statuses: [400, 401],
        errors: ['invalid_client', 'invalid_request'],
      })
    },
  },
  'O67-token-request-is-a-form': {
    title: 'The token endpoint takes a form by POST, with each parameter once',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 6749, 3.2', 'RFC 6749, 4.1.3'],
    description:
      'Codes in addresses are kept in logs and histories. Of two values for one parameter, a proxy checks one and the IDP uses the other.',
    sends:
      'A valid token request by GET, with its parameters in the query, as JSON, with a second value of each parameter, and without grant_type.',
    decides: 'Each is rejected, while the same parameters in a form are accepted.',
    fix: 'Serve only POST with application/x-www-form-urlencoded at the token endpoint. Read parameters only from the body, and reject a repeated one, or a missing grant_type, with 400 invalid_request.',
    async run(context) {
      const { codeForm, logIn, endpoint, httpAs, requestTokens, target } = context
      const url = await endpoint('token_endpoint')
      const { client } = target
      const fields = { ...codeForm(await asPremise('a login (see O02)', logIn())) }
      const secret = { client_secret: client.clientSecret }
      const basic = [client.clientId, client.clientSecret].map(encodeURIComponent).join(':')
      const isBasic = target.clientAuthentication === 'basic'
      const all = isBasic ? fields : { ...fields, ...secret }
      const authorization = {
        ...(isBasic && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      }
      const query = new URLSearchParams(all).toString()
      const post = (body: string): HttpRequest => ({
        method: 'POST',
        headers: { ...authorization, 'content-type': form },
        body,
      })
      const twice = (name: keyof typeof fields) =>
        post(`${query}&${new URLSearchParams({ [name]: String(fields[name]) })}`)
      const { grant_type: _, ...rest } = all
      const cases: readonly { what: string; address: string; request: HttpRequest }[] = [
        {
          what: 'A token request by GET',
          address: `${url}?${query}`,
          request: { headers: authorization },
        },
        {
          what: 'A token request with its parameters in the query',
          address: `${url}?${query}`,
          request: post(''),
        },
        {
          what: 'A token request without grant_type',
          address: url,
          request: post(new URLSearchParams(rest).toString()),
        },
        {
          what: 'A token request as JSON',
          address: url,
          request: { headers: authorization, json: all },
        },
        ...(['code', 'redirect_uri', 'grant_type'] as const).map((name) => ({
          what: `A token request with two values of ${name}`,
          address: url,
          request: twice(name),
        })),
      ]
      const finding = await findEach(cases, async ({ what, address, request }) =>
        findRefusal(await httpAs('relying-party').request(address, request), { what }),
      )
      if (finding.kind !== 'held') return finding
      const { status } = await requestTokens(fields, client)
      return status === 200
        ? finding
        : inconclusive(`${finding.reason} So was the correct request afterwards: HTTP ${status}.`)
    },
  },
  'O82-unusual-token-requests': {
    title: 'Token requests may be encoded differently, and contain additional parameters',
    level: 'final',
    expectation: 'accept',
    control: 'client',
    clauses: ['RFC 6749, 2.3', 'RFC 6749, 3.2', 'RFC 9110, 11.1'],
    description:
      'Client libraries differ in the characters of id and secret that they encode, in the charset that they name, and in the parameters of extensions.',
    sends:
      'A made-up code with the correct credentials: with the content type in another spelling, with a parameter of an unknown extension, with the scheme basic in lower case, and in a Basic header in which everything but letters and digits is percent-encoded.',
    decides:
      'Each error is about the code. The last two are left out if id and secret are sent in the body, the last one also if they have no such characters.',
    fix: 'Compare the scheme Basic without regard to case. Split the Basic credentials at the colon, then decode client_id and client_secret as a form. Ignore unknown parameters, and parameters of Content-Type such as charset.',
    async run(context) {
      const { client, clientAuthentication } = context.target
      const { clientId: client_id, clientSecret: client_secret } = client
      const given = [client_id, client_secret]
      const isBasic = clientAuthentication === 'basic'
      const fields = { ...madeUpForm(context), ...(!isBasic && { client_secret }) }
      const expected = errorOf(await context.requestTokens(madeUpForm(context), client))
      if (expected !== 'invalid_grant') return inconclusive('A made-up code has another error.')
      const url = await context.endpoint('token_endpoint')
      const basicOf = (encode: (text: string) => string): Readonly<Record<string, string>> =>
        isBasic
          ? {
              authorization: `Basic ${Buffer.from(given.map(encode).join(':')).toString('base64')}`,
            }
          : {}
      const usual = basicOf(encodeURIComponent)
      const lower = { authorization: String(usual.authorization).replace('Basic', 'basic') }
      const hasOthers = isBasic && given.some((text) => !/^[a-z0-9]*$/i.test(text))
      const cases = [
        { what: 'The charset UTF-8', type: `${form};charset=UTF-8`, headers: usual, more: {} },
        { what: 'An unknown parameter', type: form, headers: usual, more: { unknown: '1' } },
        ...(isBasic ? [{ what: 'The scheme basic', type: form, headers: lower, more: {} }] : []),
        ...(hasOthers
          ? [{ what: 'Encoded credentials', type: form, headers: basicOf(percentEncode), more: {} }]
          : []),
      ]
      return findEach(cases, async ({ what, type, headers, more }) => {
        const answer = await context.httpAs('relying-party').request(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': type },
          body: new URLSearchParams({ ...fields, ...more }).toString(),
        })
        requireAnswer(answer, what, [400, 401])
        expectEqual(`error with ${what.toLowerCase()}`, errorOf(answer), expected)
        return held(`${what} did not change the response.`)
      })
    },
  },
  'O96-unknown-and-empty-parameters': {
    title: 'A login succeeds although its requests have unknown and empty parameters',
    level: 'final',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 6749, 3.1', 'RFC 6749, 3.2'],
    description:
      'Extensions and proxies add parameters, and some client libraries send optional ones without a value. An IDP that stops at one of them ends logins halfway.',
    sends:
      'A login with an unknown parameter in each request: authorization, status of the session, token, userinfo and renewal. The token request has an empty code_verifier, and the renewal an empty scope.',
    decides:
      'Each response is the usual one: a code, a status, tokens and claims. Another response to the poll or from userinfo is a warning.',
    fix: 'Ignore unknown parameters at every endpoint, and treat a parameter without a value as absent, for example code_verifier and scope at the token endpoint.',
    async run(context) {
      const { codeForm, endpoint, httpAs, logIn, requestTokens, target } = context
      const unknown = { unknown_extension: '1' }
      const query = new URLSearchParams(unknown)
      const login = await logIn({ parameters: unknown })
      const session = findSessionCode(login.page)
      const polled =
        session === undefined
          ? held('The page has no session code.')
          : findUsual(
              await httpAs('browser').request(`${statusAddress(context, session)}&${query}`),
              'Polling with an unknown parameter',
            )
      const form = { ...codeForm(login), code_verifier: '', ...unknown }
      const tokens = requireJson(
        await requestTokens(form, target.client),
        'A token request with an empty code_verifier and an unknown parameter',
      )
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const address = `${await endpoint('userinfo_endpoint')}?${query}`
      const info = await httpAs('relying-party').request(address, { headers })
      const read = findUsual(info, 'userinfo with an unknown parameter')
      if (typeof tokens.refresh_token === 'string') {
        const { refresh_token } = tokens
        const renewal = { grant_type: 'refresh_token', refresh_token, scope: '', ...unknown }
        requireJson(
          await requestTokens(renewal, target.client),
          'A renewal with an empty scope and an unknown parameter',
        )
      }
      return worstOf([polled, read, held('The login and its renewal succeeded.')])
    },
  },
  'O68-errors-of-the-token-endpoint': {
    title: 'Errors of the token endpoint are JSON, and name the authentication scheme',
    level: 'final',
    expectation: 'advice',
    control: 'client',
    clauses: ['RFC 6749, 5.2'],
    description:
      'Client libraries read error from JSON. Anything else is a failure without a cause. The Accept header of some, such as those that use HttpURLConnection of Java, prefers HTML.',
    sends:
      'Token requests with a made-up code, with a wrong secret in a Basic header, and with the Accept header of HttpURLConnection.',
    decides:
      'Each response has a JSON object with error, as application/json. The 401 for the wrong secret has WWW-Authenticate: Basic. No response may be cached.',
    fix: 'Send errors of the token endpoint as application/json, with error and Cache-Control: no-store, regardless of Accept. Add WWW-Authenticate: Basic to a 401 for credentials in a Basic header.',
    async run(context) {
      const { requestTokens, target } = context
      const { client, clientAuthentication } = target
      const code = await requestTokens(madeUpForm(context), client)
      const impostor = { ...client, clientSecret: 'this is a wrong secret' }
      const secret = await requestTokens(madeUpForm(context), impostor)
      const expectError = (what: string, answer: HttpAnswer) => {
        const { contentType, json, headers } = requireAnswer(answer, what, [400, 401])
        expectTrue(
          `the response to ${what} is application/json`,
          /^application\/json\b/i.test(contentType),
          contentType,
        )
        const { error } = { ...(json as { error?: unknown } | undefined) }
        expectEqual(`the type of error for ${what}`, typeof error, 'string')
        const cached = headers.get('cache-control') ?? 'none'
        expectTrue(`the response to ${what} has no-store`, /\bno-store\b/.test(cached), cached)
      }
      expectError('a made-up code', code)
      expectError('a wrong secret', secret)
      if (secret.status === 401 && clientAuthentication === 'basic') {
        const challenge = secret.headers.get('www-authenticate') ?? 'none'
        expectTrue('the 401 has WWW-Authenticate: Basic', /^Basic\b/i.test(challenge), challenge)
      }
      const headers = { accept: acceptOfJava }
      const html = await requestTokens(madeUpForm(context), client, { headers })
      expectError('a made-up code with an Accept that prefers HTML', html)
      return held('All errors have the form of RFC 6749, 5.2.')
    },
  },
})

/** Checks an endpoint to which RFC 6749, 3.1 and 3.2, do not apply. */
function findUsual(answer: HttpAnswer, what: string): Finding {
  try {
    requireJson(answer, what)
    return held(`${what} succeeded.`)
  } catch (error) {
    const finding = requireFinding(error)
    return finding.kind === 'broken' ? { ...finding, level: 'practice' } : finding
  }
}

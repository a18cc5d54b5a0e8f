import { createSigningInput } from '#core/crypto/jws.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import {
  broken,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise, classifyStatus, outageOf } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { decodePageText, fieldsOf } from '../../../kit/read-pages.ts'
import type { AuthorizationParameters, IdpContext } from '../context.ts'
import { findLinkOfPage, findNoLogins } from '../find-login-page.ts'

const verdictSource = 'the page that the browser was shown'

/** Parameters that no server needs to know. */
const optional: Readonly<Record<string, AuthorizationParameters>> = {
  'a parameter of an unknown extension': { unknown_extension: '1' },
  ui_locales: { ui_locales: 'es en' },
  'display and claims_locales': { display: 'page', claims_locales: 'es' },
  'an empty login_hint': { login_hint: '' },
  'an empty prompt': { prompt: '' },
  'an empty max_age': { max_age: '' },
  'an empty response_mode': { response_mode: '' },
  'an empty id_token_hint': { id_token_hint: '' },
  'an empty claims': { claims: '' },
  'an empty code_challenge and its method': { code_challenge: '', code_challenge_method: '' },
  'an empty state and nonce': { state: '', nonce: '' },
  'a login_hint': { login_hint: 'somebody@example.com' },
  'prompt=login': { prompt: 'login' },
  max_age: { max_age: '3600' },
  acr_values: { acr_values: 'urn:example:unknown' },
  'an unknown scope in addition': { scope: 'openid unknown-scope' },
  'the scopes in another order': { scope: 'openid-vp-lear email openid' },
  'a code_challenge for S256': {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
}

/** Other forms of authorization requests. They need no wallet. */
export const checks = defineChecks<IdpContext>({
  'O58-authorization-by-post': {
    title: 'The authorization endpoint also takes the request as a form',
    level: 'final',
    expectation: 'accept',
    clauses: ['OpenID Connect Core 1.0, 3.1.2.1', 'RFC 9700, 4.12'],
    description:
      'Long requests do not fit into an address, and addresses are kept in histories and logs.',
    sends:
      'The same authorization request by GET, and by POST as a form. Then a form with prompt=none.',
    decides:
      'The first two lead to a page of the same kind: with a presentation request, or with a form. The browser follows 307 and 308 as browsers do: it posts the form again. A redirect to redirect_uri with such a status is a warning.',
    fix: 'Serve GET and POST at the authorization endpoint. With POST read the parameters from the form. Redirect with 303: after 307 or 308, browsers post the form to the next address.',
    async run(context) {
      const url = await context.authorizationUrl({ parameters: { state: 's', nonce: 'n' } })
      const byGet = await openedBy(context, url)
      if (byGet.kind !== 'held') return byGet
      const form = Object.fromEntries(url.searchParams)
      const page = await context.createBrowser().submit(`${url.origin}${url.pathname}`, form)
      const byPost = findLogin(context, 'An authorization request by POST', page)
      if (byPost.kind !== 'held') return byPost
      const request = { form: { ...form, prompt: 'none' } }
      const { status, headers } = await context
        .httpAs('browser')
        .request(`${url.origin}${url.pathname}`, request)
      const { redirectUri } = context.target.client
      const isReturn = headers.get('location')?.startsWith(redirectUri)
      const reason = 'A form is redirected so that the browser posts it to the relying party.'
      // RFC 9700 requires that only for forms that may have user credentials.
      return isReturn && (status === 307 || status === 308)
        ? broken(reason, { actual: status, level: 'practice' })
        : byPost
    },
  },
  'O59-optional-parameters': {
    title: 'An authorization request with optional or unknown parameters is answered',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 6749, 3.1', 'OpenID Connect Core 1.0, 3.1.2.1', 'OpenID Connect Core 1.0, 15.1'],
    description:
      'Client libraries send parameters that a server need not know. It must ignore them.',
    sends: `Authorization requests with ${Object.keys(optional).join(', ')}.`,
    decides: 'Each leads to a login.',
    fix: 'Ignore unknown parameters and scopes, and treat a parameter without a value as absent. Do not validate the request with a schema that forbids others.',
    run: (context) =>
      findEach(Object.entries(optional), async ([name, parameters]) => {
        const url = await context.authorizationUrl({
          parameters: { state: 's', nonce: 'n', ...parameters },
        })
        const page = await context.createBrowser().get(url.href)
        return findLogin(context, `An authorization request with ${name}`, page)
      }),
  },
  'O60-response-modes': {
    title: 'Responses arrive in the advertised response modes',
    level: 'practice',
    expectation: 'accept',
    description:
      'A relying party that asks for form_post does not read the query, and the user waits.',
    sends:
      'Authorization requests with prompt=none and each response_mode that the discovery document advertises, and complete logins with fragment and form_post.',
    decides:
      'Error or code, and the same state, arrive in the query, in the fragment, or in a form for redirect_uri.',
    fix: 'Implement each response mode of response_modes_supported, or remove it from the discovery document.',
    async run(context) {
      const { response_modes_supported: announced } = await discoverAsPremise(context)
      const modes = ['query', 'fragment', 'form_post'].filter((mode) =>
        [announced].flat().includes(mode),
      )
      if (modes.length === 0) return inconclusive('The discovery document advertises none of them.')
      const errors = await findEach(modes, (mode) => findErrorIn(context, mode))
      // Every other check logs in with query.
      const others = modes.filter((mode) => mode !== 'query')
      if (errors.kind !== 'held' || others.length === 0 || !context.target.walletLogin)
        return errors
      return findEach(others, (mode) => findCodeIn(context, mode))
    },
  },
  'O61-request-objects': {
    title: 'A request object that the IDP does not support is rejected, and not advertised',
    level: 'final',
    expectation: 'refuse',
    control: 'authorization',
    clauses: [
      'OpenID Connect Core 1.0, 6.1',
      'OpenID Connect Core 1.0, 6.2',
      'OpenID Connect Discovery 1.0, 3',
    ],
    description:
      'Relying parties put parameters into request objects to protect them. An IDP that ignores the object uses unprotected ones. An IDP that fetches request_uri can be used to reach internal services.',
    sends: 'Authorization requests with request and with request_uri.',
    decides:
      'If the discovery document says that one of them is not supported, that request leads to an error, and request_uri is not requested. Otherwise, the error is not request_not_supported or request_uri_not_supported. Without request_uri_parameter_supported, request_uri is advertised.',
    fix: 'Respond to an authorization request that has request or request_uri with error=request_not_supported or request_uri_not_supported, unless you support it. Set request_uri_parameter_supported to false: the default is true. Never fetch an unregistered request_uri.',
    async run(context) {
      const {
        request_parameter_supported: byValue = false,
        // The default of OpenID Connect Discovery 1.0.
        request_uri_parameter_supported: byReference = true,
      } = await discoverAsPremise(context)
      const trap = await context.startTrap()
      const object = `${createSigningInput({ alg: 'none' }, { client_id: context.target.client.clientId })}.`
      const all = [
        // Before request_uri, which the IDP may request.
        { name: 'request', isAnnounced: byValue !== false, value: object },
        {
          name: 'request_uri',
          isAnnounced: byReference !== false,
          value: `${trap.origin}/request`,
        },
      ]
      return findEach(all, async ({ name, isAnnounced, value }) => {
        const parameters = { [name]: value }
        const what = `An authorization request with ${name}`
        if (isAnnounced) return findSupported(context, name, what, parameters)
        const allowed = [context.target.client.redirectUri]
        const finding = await findNoLogins(context, [{ what, parameters }], allowed)
        return trap.visits.length === 0
          ? finding
          : wronglyAccepted(`The IDP requested the address: ${trap.visits.join(', ')}.`)
      })
    },
  },
})

const discoverAsPremise = ({ discover }: IdpContext) =>
  asPremise('the discovery document (see O01)', discover())

/** Checks that an advertised parameter does not lead to the error that it is not supported. */
async function findSupported(
  { authorizationUrl, createBrowser }: IdpContext,
  name: string,
  what: string,
  parameters: AuthorizationParameters,
): Promise<Finding> {
  const address = await authorizationUrl({ parameters })
  const { status, url } = await createBrowser().get(address.href)
  const kind = classifyStatus(status)
  if (kind !== 'accepted' && kind !== 'refused') {
    const reason = `${what} was answered with HTTP ${status}, which is not a verdict.`
    return inconclusive(reason, outageOf(status))
  }
  const error = status === 0 ? new URL(url).searchParams.get('error') : undefined
  return error === `${name}_not_supported`
    ? broken(`The discovery document advertises ${name}, and the error is ${error}.`, {
        actual: error,
      })
    : held(`${what} was not answered with the error ${name}_not_supported.`)
}

type Page = Pick<HttpAnswer, 'status' | 'text' | 'url' | 'headers'> & {
  readonly visited: readonly string[]
}

const openedBy = async (context: IdpContext, url: URL) =>
  findLogin(context, 'An authorization request by GET', await context.createBrowser().get(url.href))

/** A page on which a login begins: it has a presentation request, or else a form to log in with. */
function findLogin({ target }: IdpContext, what: string, page: Page): Finding {
  const { status, text, url } = page
  if (findLinkOfPage(page) !== undefined) return held(`${what} led to a login.`, { verdictSource })
  const kind = classifyStatus(status)
  if (status !== 0 && kind !== 'accepted' && kind !== 'refused') {
    const reason = `${what} was answered with HTTP ${status}, which is not a verdict.`
    return inconclusive(reason, outageOf(status))
  }
  if (status === 200 && /<(form|img|canvas|svg|script)\b/i.test(text) && !target.walletLogin) {
    return held(`${what} led to a page with a form.`, { verdictSource })
  }
  if (status === 200) return inconclusive(`${what} led to a page without a presentation request.`)
  const { searchParams } = new URL(url)
  const error = searchParams.get('error') ?? `HTTP ${status}`
  return broken(`${what} did not lead to a login: ${error}.`, { verdictSource, actual: error })
}

const state = 'a-state-for-this-mode'

/** Checks that an error arrives in the response mode that the request asks for. */
async function findErrorIn(context: IdpContext, mode: string): Promise<Finding> {
  const { authorizationUrl, createBrowser, target } = context
  const address = await authorizationUrl({
    parameters: { prompt: 'none', nonce: 'n', state, response_mode: mode },
  })
  return findAnswerIn(mode, 'error', await createBrowser().get(address.href), target)
}

/** Checks that the code of a login arrives in the response mode that the request asks for. */
async function findCodeIn(context: IdpContext, mode: string): Promise<Finding> {
  const { createBrowser, beginLogin, present, awaitReturn, target } = context
  const browser = createBrowser()
  let last: Page | undefined
  // A form for redirect_uri is the end of the login too: its script would post it.
  const get = async (...asked: Parameters<typeof browser.get>) => {
    const page = await browser.get(...asked)
    last = page
    const isEnd = Boolean(parametersIn(page.text, target).get('code'))
    return isEnd ? { ...page, status: 0, url: target.client.redirectUri } : page
  }
  const parameters = { state, response_mode: mode }
  const login = await beginLogin({ browser: { ...browser, get }, parameters })
  const { redirectUri } = await present(login)
  return (await awaitReturn(login, redirectUri)) && last
    ? findAnswerIn(mode, 'code', last, target)
    : inconclusive(`The login with response_mode ${mode} did not return.`)
}

function findAnswerIn(
  mode: string,
  due: 'error' | 'code',
  { status, url, text }: Page,
  target: IdpContext['target'],
): Finding {
  const what = `The response with response_mode ${mode}`
  const kind = classifyStatus(status)
  // The page with the form may have the status of the error.
  if (kind !== 'accepted' && kind !== 'refused') {
    return inconclusive(`${what} has HTTP ${status}.`, { verdictSource, ...outageOf(status) })
  }
  const given = status === 0 ? parametersAt(new URL(url), mode) : parametersIn(text, target)
  const found = Object.fromEntries(given)
  if (due === 'code' && given.has('error')) {
    return inconclusive(`${what} has an error instead of a code.`, { verdictSource, actual: found })
  }
  const isRight = (status !== 0) === (mode === 'form_post') && given.has(due)
  return isRight && given.get('state') === state
    ? held(`${what} has ${due} and state.`, { verdictSource })
    : broken(`${what} does not have ${due} and state where they belong.`, {
        verdictSource,
        actual: status === 0 ? url : found,
      })
}

const parametersAt = ({ hash, searchParams }: URL, mode: string) =>
  mode === 'fragment' ? new URLSearchParams(hash.slice(1)) : searchParams

/** The fields of a form that a script posts to redirect_uri. */
function parametersIn(text: string, { client }: IdpContext['target']): URLSearchParams {
  const isForClient = decodePageText(text).includes(client.redirectUri)
  return new URLSearchParams(isForClient ? fieldsOf(text) : [])
}

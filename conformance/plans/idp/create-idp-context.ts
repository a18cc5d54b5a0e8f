import { randomBytes } from 'node:crypto'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { fetchBy } from '#scenarios/harness/http-client.ts'
import { broken, type CheckBase, endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise, classifyStatus, outageOf, requireJson } from '../../kit/classify-answer.ts'
import { readRequest } from '../verifier/open-request.ts'
import { postPresentation } from '../verifier/post-presentation.ts'
import type { BegunLogin, IdpContext, LoginOptions } from './context.ts'
import { findPresentationLink } from './find-login-page.ts'
import { awaitReturn, findSessionCode, requestStatus } from './sessions.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

/** Members of the discovery document, by the names that checks use. */
type Discovery = Readonly<Record<string, unknown>>

const createSecret = () => randomBytes(24).toString('base64url')

/** The operations that the checks of an IDP share, as a relying party, a browser and a wallet. */
export function createIdpContext(
  base: CheckBase,
  target: IdpTarget,
  trust: IdpContext['trust'],
  services: Pick<IdpContext, 'startTrap' | 'advanceClock' | 'resetClock'>,
): IdpContext {
  const { httpAs, signal } = base
  const { client, scope, patience } = target
  const baseUrl = target.issuer.replace(/\/$/, '')
  const parties = [client, ...(target.secondClient ? [target.secondClient] : [])]
  let discovery: Promise<Discovery> | undefined

  const discover = () => {
    discovery ??= httpAs('relying-party')
      .request(`${baseUrl}/.well-known/openid-configuration`)
      .then((answer) => requireJson(answer, 'The discovery document'))
    return discovery as Promise<Record<string, unknown>>
  }

  const endpoint = async (name: string) => {
    const value = (await asPremise('the discovery document (see O01)', discover()))[name]
    if (typeof value === 'string' && URL.canParse(value)) return value
    const reason = `The discovery document has no address ${name}: see O01.`
    endCheck(inconclusive(reason, { actual: value }))
  }

  const authorizationUrl = async ({ parameters = {}, party = client }: LoginOptions = {}) => {
    const url = new URL(await endpoint('authorization_endpoint'))
    const all: Readonly<Record<string, string | undefined>> = {
      client_id: party.clientId,
      redirect_uri: party.redirectUri,
      response_type: 'code',
      scope,
      ...parameters,
    }
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    return url
  }

  const createBrowser = () =>
    createHttpBrowser(
      parties.map(({ redirectUri }) => redirectUri),
      {},
      fetchBy(httpAs('browser').request),
    )

  const beginLogin = async ({
    parameters = {},
    party,
    browser = createBrowser(),
  }: LoginOptions = {}): Promise<BegunLogin> => {
    const [state, nonce] = [createSecret(), createSecret()]
    const url = await authorizationUrl({
      parameters: { state, nonce, ...parameters },
      ...(party && { party }),
    })
    const page = await browser.get(url.href)
    return {
      browser,
      url: url.href,
      page,
      link: await findPresentationLink(httpAs('browser'), page),
      state: parameters.state ?? state,
      nonce: parameters.nonce ?? nonce,
    }
  }

  const present: IdpContext['present'] = async ({ link }, options = {}) => {
    const opened = await readRequest({ link, session: undefined }, base)
    return postPresentation(opened, options, trust, base)
  }

  const statusOf = async ({ page }: BegunLogin) => {
    const session = findSessionCode(page)
    if (session === undefined) return undefined
    const { json } = await requestStatus({ httpAs, baseUrl }, session)
    return (json as { status?: unknown } | undefined)?.status
  }
  const hasFailed = async (login: BegunLogin) => (await statusOf(login)) === 'FAILED'
  const waiting = { target, signal, hasFailed }

  const logIn: IdpContext['logIn'] = async (options = {}) => {
    if (!target.walletLogin) endCheck(inconclusive('The target has no login with a wallet.'))
    const login = await beginLogin(options)
    const { status, reason, redirectUri } = await present(login, options.presentation)
    const kind = status === 0 ? 'timed-out' : classifyStatus(status)
    if (kind !== 'accepted') {
      const problem = `A valid presentation was not accepted. ${reason}`
      endCheck(kind === 'refused' ? broken(problem) : inconclusive(problem, outageOf(status)))
    }
    const callback = await awaitReturn(waiting, login, redirectUri)
    if (callback === undefined) {
      if (await hasFailed(login)) {
        const observed = 'A valid presentation ended the session as FAILED'
        endCheck(broken(`${observed}: does its verifier trust the registries of the kit?`))
      }
      const observed = `The browser did not return to the relying party within ${patience} s`
      if ((await statusOf(login)) !== 'PENDING') endCheck(inconclusive(observed))
      const reason = `${observed}, and the session is still PENDING after a valid presentation`
      endCheck(broken(reason, { level: 'practice' }))
    }
    const code = callback.searchParams.get('code')
    if (code === null) {
      const actual = Object.fromEntries(callback.searchParams)
      endCheck(broken('The browser returned without a code', { actual }))
    }
    return { ...login, callback, code }
  }

  const requestTokens: IdpContext['requestTokens'] = async (form, party, options = {}) => {
    const { at = 'token_endpoint', headers = {} } = options
    const url = await endpoint(at)
    const http = httpAs('relying-party')
    if (party === undefined) return http.request(url, { form, headers })
    const { clientId, clientSecret } = party
    if (target.clientAuthentication === 'body') {
      const credentials = { client_id: clientId, client_secret: clientSecret }
      return http.request(url, { form: { ...credentials, ...form }, headers })
    }
    const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
    const authorization = `Basic ${Buffer.from(basic).toString('base64')}`
    return http.request(url, { form, headers: { ...headers, authorization } })
  }

  const codeForm: IdpContext['codeForm'] = ({ code }, party: IdpParty = client) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: party.redirectUri,
    client_id: party.clientId,
  })

  return {
    ...base,
    target,
    baseUrl,
    trust,
    ...services,
    discover,
    endpoint,
    authorizationUrl,
    createBrowser,
    beginLogin: (options) => asPremise('starting a login (see O02)', beginLogin(options)),
    present,
    awaitReturn: (login, redirectUri) => awaitReturn(waiting, login, redirectUri),
    logIn,
    requestTokens,
    codeForm,
    async logInForTokens(options = {}) {
      const login = await logIn(options)
      const { party = client, form } = options
      const answer = await requestTokens({ ...codeForm(login, party), ...form }, party)
      return { ...login, tokens: requireJson(answer, 'The token request') }
    },
  }
}

import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import { fetchBy } from '#scenarios/harness/http-client.ts'
import { broken, type CheckBase, endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise, classifyStatus, outageOf, requireFinding } from '../../kit/classify-answer.ts'
import {
  attributeOf,
  decodePageText,
  fieldsOf,
  hasPasswordField,
  tagsIn,
} from '../../kit/read-pages.ts'
import type { BegunLogin, RelyingPartyContext, UserBrowser } from './context.ts'
import { redirectFailed, verdictSource } from './findings.ts'
import type { CallbackParameters, User } from './provider.ts'

/** Members of the context that the plan provides. */
type Provided = Pick<RelyingPartyContext, 'target' | 'provider' | 'startTrap' | 'describeProgram'>

/** The page at which the first login that showed its user ended: the default of `userPage`. */
export interface Landing {
  url?: string
}

/** The operations that the checks of a relying party share, as its provider and as a browser. */
export function createRelyingPartyContext(
  base: CheckBase,
  { landing, ...provided }: Provided & { readonly landing: Landing },
): RelyingPartyContext {
  const { target, provider } = provided
  const { client, loginUrl, userPage } = target

  const createBrowser = (stopAt: readonly string[] = []): UserBrowser => {
    const fetch = fetchBy(base.httpAs('browser').request)
    const setCookies: string[] = []
    const stops = [provider.authorizationEndpoint, ...stopAt]
    const browser = createHttpBrowser(stops, {}, async (input, init) => {
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), accept }
      const response = await fetch(input, { ...init, headers })
      setCookies.push(...response.headers.getSetCookie())
      return response
    })
    return { ...browser, setCookies }
  }

  const openLogin = async (browser = createBrowser(), url = loginUrl): Promise<BegunLogin> => {
    const opened = await browser.get(url).catch((error) => endIfEnded(error, provided))
    const page = await submitForm(browser, opened)
    const address = findAuthorization(page, provider.authorizationEndpoint)
    if (address === undefined) endCheck(withoutRequest(page, provider.issuer))
    const request = new URL(address).searchParams
    for (const [name, member] of [
      ['client_id', 'clientId'],
      ['redirect_uri', 'redirectUri'],
    ] as const) {
      const [actual, expected] = [request.get(name), client[member]]
      if (actual === expected) continue
      const reason = `The authorization request has a different ${name} from the target file`
      const fix = `Use the same ${name} in the configuration of the application and in client.${member} of the target file.`
      endCheck(broken(reason, { expected, actual, fix }))
    }
    return { browser, request }
  }

  const deliver: RelyingPartyContext['deliver'] = async (
    { browser, request },
    login,
    parameters = provider.callbackOf(login),
  ) => {
    const page = await sendTo(browser, client.redirectUri, parameters, request).catch(
      (error) => redirectErrorIn(error, client.redirectUri) ?? endWithoutAnswer(error, provided),
    )
    const shownAt = userPage ?? landing.url
    if (page.url.split('?')[0] !== client.redirectUri && showsUser(page, login.user)) {
      landing.url ??= page.url
    }
    return {
      ...login,
      browser,
      page,
      userPage: shownAt === undefined ? undefined : await browser.get(shownAt),
    }
  }

  const begin = (browser?: UserBrowser) =>
    asPremise('starting a login (see R01)', openLogin(browser))
  const finish: RelyingPartyContext['finish'] = (begun, script) =>
    deliver(begun, provider.authorize(begun.request, script))

  return {
    ...base,
    ...provided,
    createBrowser,
    openLogin,
    begin,
    deliver,
    finish,
    logIn: async (script) => finish(await begin(), script),
    shows: ({ page, userPage: own, user: ofLogin }, user = ofLogin) =>
      [page, ...(own ? [own] : [])].some((each) => showsUser(each, user)),
  }
}

/** Submits the form of a login page that has only a button, as a protection against forgery. */
async function submitForm(browser: UserBrowser, page: HttpPage): Promise<HttpPage> {
  const [form, ...others] = tagsIn(page.text, 'form')
  if (form === undefined || others.length > 0 || hasPasswordField(page)) return page
  const action = new URL(attributeOf(form, 'action') || page.url, page.url)
  const fields = new URLSearchParams(fieldsOf(page.text))
  if (attributeOf(form, 'method').toLowerCase() === 'post')
    return browser.submit(action.href, fields)
  action.search = fields.toString()
  return browser.get(action.href)
}

/** The address of the authorization request: where the browser is, or on the page that it shows. */
function findAuthorization({ url, status, text }: HttpPage, endpoint: string): string | undefined {
  if (status === 0) return url.startsWith(endpoint) ? url : undefined
  const page = decodePageText(text)
  const start = page.indexOf(`${endpoint}?`)
  return start < 0 ? undefined : /^[^\s"'<>\\`]+/.exec(page.slice(start))?.[0]
}

function withoutRequest({ url, status }: HttpPage, issuer: string) {
  const reason = `loginUrl does not lead to the provider ${issuer}: the browser ended at ${url} with HTTP ${status}`
  const fix = `Configure the application with the issuer ${issuer}, and set loginUrl of the target file to the address that starts a login.`
  const kind = classifyStatus(status)
  return kind === 'accepted' || kind === 'refused'
    ? broken(reason, { verdictSource, fix })
    : inconclusive(reason, { verdictSource, ...outageOf(status) })
}

/** What a browser shows after endless redirects, or one to an invalid address. */
function redirectErrorIn(error: unknown, url: string): HttpPage | undefined {
  if (!isTestbedError(error) || error.code !== 'redirect_failed') return undefined
  const { message: text } = error
  return { url, status: redirectFailed, headers: new Headers(), text, visited: [url] }
}

/** How the program of the target ended, if it has. */
async function describeEnd({ describeProgram }: Provided): Promise<string | undefined> {
  const state = await describeProgram()
  return state?.includes('has ended') ? state : undefined
}

/** For a login page that did not respond: says so if the application has ended. */
async function endIfEnded(error: unknown, provided: Provided): Promise<never> {
  const state = await describeEnd(provided)
  if (state === undefined) throw error
  endCheck(inconclusive(`The application does not run any more. ${state}`, { isBlocked: true }))
}

/** The redirect was not answered. Its address contains secrets. */
async function endWithoutAnswer(error: unknown, provided: Provided): Promise<never> {
  const { reason, ...finding } = requireFinding(error)
  const state = await describeEnd(provided)
  if (state === undefined) endCheck({ ...finding, reason: reason.replace(/\?\S*/g, '') })
  // No control can pass any more.
  endCheck(
    broken(`The application ended at the redirect. ${state}`, {
      isAcceptance: true,
      level: 'practice',
      fix: 'Catch the errors of your OpenID Connect library: an invalid answer must not end the application.',
    }),
  )
}

/** As browsers send it: an application may answer with JSON. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Sends the browser back by redirect, or with a form if the application asked for that. */
function sendTo(
  browser: UserBrowser,
  redirectUri: string,
  parameters: CallbackParameters,
  request: URLSearchParams,
): Promise<HttpPage> {
  const sent = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) =>
      values === undefined ? [] : [values].flat().map((value): [string, string] => [name, value]),
    ),
  )
  if (request.get('response_mode') === 'form_post') return browser.submit(redirectUri, sent)
  const url = new URL(redirectUri)
  for (const [name, value] of sent) url.searchParams.append(name, value)
  return browser.get(url.href)
}

/** An error page may repeat what it rejects. */
function showsUser({ status, text }: HttpPage, { sub, email, family_name }: User): boolean {
  if (status === 0 || status >= 400) return false
  const page = decodePageText(text).toLowerCase()
  return [sub, email, family_name].some((value) => page.includes(value.toLowerCase()))
}

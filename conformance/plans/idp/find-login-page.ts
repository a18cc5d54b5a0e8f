import { findLink } from '#core/link/find-link.ts'
import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import {
  broken,
  type CheckLevel,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../kit/check.ts'
import { classifyStatus, outageOf } from '../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../kit/find-each.ts'
import { decodePageText, hasPasswordField, readPageCodes } from '../../kit/read-pages.ts'
import type { AuthorizationParameters, IdpContext } from './context.ts'

/** The link for a wallet on the same device, anywhere in a page's source. */
export const findLinkOfPage = ({ url, status, text }: HttpPage): string | undefined =>
  findLink(status === 0 ? url : decodePageText(text), 'request')?.link

/** The link for wallets on a login page: in its source, or else in its QR code. */
export async function findPresentationLink(
  http: Pick<HttpClient, 'request'>,
  page: HttpPage,
): Promise<string> {
  const { url, status } = page
  if (status !== 200 && status !== 0) {
    const kind = classifyStatus(status)
    const reason = `The authorization endpoint returned HTTP ${status} at ${url}`
    const isVerdict = kind === 'accepted' || kind === 'refused'
    endCheck(isVerdict ? broken(reason) : inconclusive(reason, outageOf(status)))
  }
  const link = findLinkOfPage(page)
  if (link !== undefined) return link
  if (status === 0) {
    endCheck(broken(`The browser was redirected to ${url} without a login`, { actual: url }))
  }
  const codes = await readPageCodes(http, page)
  const scanned = codes.map((code) => findLink(code, 'request')).find(Boolean)
  if (scanned !== undefined) return scanned.link
  const reason =
    'The page contains neither an openid4vp: link nor a readable QR code with such a link.'
  endCheck(inconclusive(reason, { actual: url }))
}

const verdictSource = 'the page that the browser was shown'

/** An authorization request that must not lead to a login. */
export interface WrongAuthorization {
  /** As the subject of a sentence. */
  readonly what: string
  readonly parameters: AuthorizationParameters
  /** The level of a finding about it, if it is lower than that of the check. */
  readonly level?: CheckLevel
}

/** A part of addresses that are not registered but resemble one. */
export const probe = 'kit-probe'

/**
 * Sends authorization requests that must not lead to a login: each must be answered with an error
 * page, or a redirect to an allowed address with an error and without a code or a token.
 * @param allowed addresses that the browser may be sent to
 */
export async function findNoLogins(
  context: IdpContext,
  all: readonly WrongAuthorization[],
  allowed: readonly string[],
): Promise<Finding> {
  return findEach(dueCases(context, all), async ({ what, parameters, level }) => {
    const url = await context.authorizationUrl({ parameters })
    const page = await openPage(context, url, parameters.redirect_uri)
    const finding = await findNoLogin(context, what, page, allowed)
    return level && finding.kind === 'broken' ? { ...finding, level } : finding
  })
}

/** Opens an address, but does not follow redirects to the server of this redirect_uri. */
function openPage(
  { createBrowser, baseUrl }: IdpContext,
  { href }: URL,
  redirectUri = '',
): Promise<HttpPage> {
  const { protocol, origin } = URL.parse(redirectUri) ?? {}
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!isWeb) return createBrowser().get(href)
  const isOwn = origin === new URL(baseUrl).origin
  return createBrowser().get(href, isOwn ? redirectUri : origin)
}

/** Requires that a correct request leads to a link for wallets, or to a form with a password. */
async function requireLoginPage(context: IdpContext): Promise<void> {
  if (!context.target.walletLogin) {
    const { href } = await context.authorizationUrl()
    if (hasPasswordField(await context.createBrowser().get(href))) return
  }
  await context.beginLogin()
}

/** Evaluates the page for an authorization request that must not lead to a login. */
export async function findNoLogin(
  context: IdpContext,
  what: string,
  page: HttpPage,
  allowed: readonly string[],
): Promise<Finding> {
  const { url, status } = page
  const isLogin = findLinkOfPage(page) !== undefined
  if (isLogin) return broken(`${what} led to a login.`, { verdictSource, actual: status })
  if (status === 0) {
    const { hash, searchParams } = new URL(url)
    const [address = ''] = url.split(/[?#]/)
    if (!allowed.includes(address) || url.includes(probe)) {
      return broken(`${what} sent the browser to ${address}.`, { verdictSource })
    }
    const given = new URLSearchParams(hash.slice(1))
    return searchParams.has('error') || given.has('error')
      ? held(`${what} returned with an error.`, { verdictSource })
      : broken(`${what} returned without an error.`, { verdictSource, actual: address })
  }
  const kind = classifyStatus(status)
  if (kind !== 'accepted' && kind !== 'refused') {
    return inconclusive(`${what} was answered with HTTP ${status}, which is not a verdict.`, {
      verdictSource,
      ...outageOf(status),
    })
  }
  if (kind === 'accepted') {
    if (hasPasswordField(page)) {
      // Some IDPs validate a request only after this form.
      return inconclusive(`${what} led to a form with a password, which the kit does not fill in.`)
    }
    // A page with status 200 is an error page only if pages for logins differ from it.
    await requireLoginPage(context)
  }
  return held(`${what} led to an error page.`, { verdictSource })
}

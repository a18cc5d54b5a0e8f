import { findLink } from '#core/link/find-link.ts'
import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { broken, endCheck, type Finding, held, inconclusive } from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { decodePageText, readPageCodes } from '../../kit/read-pages.ts'

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
    endCheck(kind === 'accepted' || kind === 'refused' ? broken(reason) : inconclusive(reason))
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

/**
 * Evaluates the pages for authorization requests that must not lead to a login: each must be an
 * error page, or a redirect to a registered address with an error and without a code or a token.
 * @param forbidden addresses that the browser must not be sent to at all
 */
export function findNoLogin(
  what: string,
  pages: readonly HttpPage[],
  forbidden: readonly string[] = [],
): Finding {
  const findings = pages.map((page) => findInPage(what, page, forbidden))
  const kinds = ['broken', 'inconclusive'] as const
  const worst = kinds.map((kind) => findings.find((each) => each.kind === kind)).find(Boolean)
  return worst ?? held(`${what} only led to an error.`, { verdictSource })
}

function findInPage(what: string, page: HttpPage, forbidden: readonly string[]): Finding {
  const { url, status } = page
  const isLogin = findLinkOfPage(page) !== undefined
  if (isLogin) return broken(`${what} led to a login.`, { verdictSource, actual: status })
  if (status === 0) {
    const { hash, searchParams } = new URL(url)
    const [address = ''] = url.split(/[?#]/)
    if (forbidden.includes(address)) {
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
    })
  }
  return held(`${what} led to an error page.`, { verdictSource })
}

import { findLink } from '#core/link/find-link.ts'
import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { broken, endCheck, inconclusive } from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { decodePageText, readPageCodes } from '../../kit/read-pages.ts'

/** The link for a wallet on the same device, wherever it stands in a page's source. */
export const findLinkOfPage = ({ url, status, text }: HttpPage): string | undefined =>
  findLink(status === 0 ? url : decodePageText(text), 'request')?.link

/** The link for wallets on a login's page: in its source, or else in its QR code. */
export async function findPresentationLink(
  http: Pick<HttpClient, 'request'>,
  page: HttpPage,
): Promise<string> {
  const { url, status } = page
  if (status !== 200 && status !== 0) {
    const kind = classifyStatus(status)
    const reason = `The authorization endpoint answered HTTP ${status} at ${url}`
    endCheck(kind === 'accepted' || kind === 'refused' ? broken(reason) : inconclusive(reason))
  }
  const link = findLinkOfPage(page)
  if (link !== undefined) return link
  if (status === 0) {
    endCheck(broken(`The browser was sent to ${url} without any login`, { actual: url }))
  }
  const codes = await readPageCodes(http, page)
  const scanned = codes.map((code) => findLink(code, 'request')).find(Boolean)
  if (scanned !== undefined) return scanned.link
  const reason = 'The page holds neither an openid4vp: link nor a QR code of one that can be read.'
  endCheck(inconclusive(reason, { actual: url }))
}

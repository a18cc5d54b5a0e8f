import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import { broken, type Finding, held, inconclusive } from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { findLinkOfPage } from './find-presentation-link.ts'

const verdictSource = 'the page that the browser was shown'

/**
 * What pages say where no login may come of an authorization request: an error page, or a way back
 * to a registered address with an error and without a code or a token.
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
  return worst ?? held(`${what} led to an error alone.`, { verdictSource })
}

function findInPage(what: string, page: HttpPage, forbidden: readonly string[]): Finding {
  const { url, status } = page
  const isLogin = findLinkOfPage(page) !== undefined
  if (isLogin) return broken(`${what} was shown a login.`, { verdictSource, actual: status })
  if (status === 0) {
    const { hash, searchParams } = new URL(url)
    const [address = ''] = url.split(/[?#]/)
    if (forbidden.includes(address)) {
      return broken(`${what} sent the browser to ${address}.`, { verdictSource })
    }
    const given = new URLSearchParams(hash.slice(1))
    return searchParams.has('error') || given.has('error')
      ? held(`${what} came back with an error.`, { verdictSource })
      : broken(`${what} came back without an error.`, { verdictSource, actual: address })
  }
  const kind = classifyStatus(status)
  if (kind !== 'accepted' && kind !== 'refused') {
    return inconclusive(`${what} met HTTP ${status}, which is no verdict.`, { verdictSource })
  }
  return held(`${what} was shown an error.`, { verdictSource })
}

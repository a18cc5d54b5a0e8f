import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { outageOf } from '../../kit/classify-answer.ts'
import { pollUntil } from '../../kit/recorded-http.ts'
import { fillUrl } from '../../targets/adapters/fill-placeholders.ts'
import type { BegunLogin, IdpContext } from './context.ts'
import { findSessionCode } from './sessions.ts'

type Waiting = Pick<IdpContext, 'target' | 'signal'> & {
  /** Whether the login's session has ended as FAILED. */
  readonly hasFailed: (login: BegunLogin) => Promise<boolean>
}

/**
 * Continues in the browser of a login as the script of its page would, which the kit does not run:
 * at the target's own address, or else by reloading the page. If that leads nowhere, it opens the
 * redirect_uri of the wallet's answer, and then the authorization request again, as the browser may
 * be logged in by now. If none does, and the page shows HTTP 500, the check is inconclusive.
 * @returns the address at which it came back to the relying party; undefined if it did not in time,
 *   or if the session has failed
 */
export async function awaitReturn(
  { target, signal, hasFailed }: Waiting,
  login: BegunLogin,
  redirectUri?: string,
): Promise<URL | undefined> {
  const { browser, page, url } = login
  const { patience } = target
  const named = continuedAt(target, page)
  const others = [redirectUri, url].filter((each) => each !== undefined)
  const visit = async (address: string) => {
    const at = await browser.get(address)
    const back = at.status === 0 && isBackAt(target, at.url) ? new URL(at.url) : undefined
    return { back, status: at.status }
  }
  const { back, status, isOver } = await pollUntil({
    ask: async () => {
      const at = await visit(named ?? page.url)
      return { ...at, isOver: at.back !== undefined || (await hasFailed(login)) }
    },
    isDone: (seen) => seen.isOver,
    limitMilliseconds: patience * 1000,
    signal,
  })
  if (isOver) return back
  for (const other of others) {
    const at = await visit(other)
    if (at.back !== undefined) return at.back
  }
  if (status === 500) {
    const reason = 'The page of the login shows HTTP 500 after the presentation.'
    endCheck(inconclusive(reason, outageOf(status)))
  }
  return undefined
}

/** The address in the target file at which the browser of a login continues. */
export const continuedAt = (
  { continueAt }: Pick<IdpContext['target'], 'continueAt'>,
  page: HttpPage,
): string | undefined =>
  continueAt === undefined ? undefined : fillUrl(continueAt, { session: findSessionCode(page) })

/** The code in the address at which a browser returned to the relying party; null at other pages. */
export const codeAt = ({ status, url }: Pick<HttpPage, 'status' | 'url'>): string | null =>
  status === 0 ? (URL.parse(url)?.searchParams.get('code') ?? null) : null

/** Whether an answer has the issuer as iss. Without an announcement iss may be missing. */
export async function hasRightIssuer(
  { discover }: Pick<IdpContext, 'discover'>,
  answer: URLSearchParams,
): Promise<boolean> {
  const { authorization_response_iss_parameter_supported: isDue, issuer } = await discover()
  const given = answer.get('iss')
  return given === issuer || (given === null && isDue !== true)
}

/** Whether an address is one of the callback addresses of the relying parties. */
function isBackAt({ client, secondClient }: IdpContext['target'], url: string): boolean {
  const parties = secondClient ? [client, secondClient] : [client]
  return parties.some(({ redirectUri }) => url.startsWith(redirectUri))
}

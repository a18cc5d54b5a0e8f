import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { pollUntil } from '#scenarios/harness/waiting.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { outageOf, requireJson } from '../../kit/classify-answer.ts'
import { decodePageText } from '../../kit/read-pages.ts'
import { fillUrl } from '../../targets/adapters/fill-placeholders.ts'
import { readRequest } from '../verifier/open-request.ts'
import type { BegunLogin, IdpContext } from './context.ts'

type Polling = Pick<IdpContext, 'httpAs' | 'target' | 'baseUrl' | 'signal'>

/** The address of the status of a session (profile/idp, Endpoints). */
export const statusAddress = ({ baseUrl }: Pick<Polling, 'baseUrl'>, session: string): string =>
  `${baseUrl}/idp/api/auth/requests?${new URLSearchParams({ session })}`

/** Asks for the status of a session. */
export const requestStatus = (
  { httpAs, baseUrl }: Pick<Polling, 'httpAs' | 'baseUrl'>,
  session: string,
): Promise<HttpAnswer> => httpAs('browser').request(statusAddress({ baseUrl }, session))

/** The status of a session. */
export const pollSession = async (polling: Polling, session: string): Promise<unknown> =>
  requireJson(await requestStatus(polling, session), 'Polling the session').status

/** Polls until a session has ended or the target's patience is over; returns the last status. */
export const awaitSessionEnd = (context: Polling, session: string): Promise<unknown> =>
  pollUntil({
    ask: () => pollSession(context, session),
    isDone: (status) => status !== 'PENDING',
    limitMilliseconds: context.target.patience * 1000,
    signal: context.signal,
  })

const code = '([\\w.~-]{6,200})'

/** The places where a page specifies the session for its script, the most reliable first. */
const places = [
  // The polled address, as documented.
  new RegExp(`/idp/api/auth/requests/?\\?(?:[^"'\\s]*&)?session=${code}`),
  new RegExp(`data-session(?:-?(?:code|id))?\\s*=\\s*["']?${code}`, 'i'),
  new RegExp(`[?&]session=${code}`),
  new RegExp(`\\bsession[_-]?(?:code|id)?["']?\\s*[:=]\\s*["'\`]${code}["'\`]`, 'i'),
  new RegExp(
    `<input\\b[^>]*name=["']?session(?:[_-]?(?:code|id))?["']?[^>]*value=["']?${code}`,
    'i',
  ),
]

/** The session code of a login page (profile/idp, Authorize), if it can be found. */
export function findSessionCode({ text, url }: HttpPage): string | undefined {
  const source = decodePageText(text)
  const found = places.map((place) => place.exec(source)?.[1]).find(Boolean)
  return found ?? URL.parse(url)?.searchParams.get('session') ?? undefined
}

/** Like {@link findSessionCode}; without a code the check is inconclusive. */
export const sessionCodeOf = (page: HttpPage): string =>
  findSessionCode(page) ??
  endCheck(inconclusive('The page does not contain a session code to poll.'))

const segmentsOf = (address: unknown) =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).pathname.split('/') : []

/**
 * Every name of a login's session that is known to anyone with its link: the session code of the
 * page, the state of the request, and the parts of its addresses.
 */
export async function sessionNamesOf(
  context: IdpContext,
  { page, link }: BegunLogin,
): Promise<readonly string[]> {
  const { parameters } = await readRequest({ link, session: undefined }, context)
  const requestUri = URL.parse(link)?.searchParams.get('request_uri')
  const { response_uri: responseUri, state } = parameters
  const names = [...segmentsOf(requestUri), ...segmentsOf(responseUri), state]
  const isName = (name: unknown) => typeof name === 'string' && name.length >= 16
  return [...new Set([sessionCodeOf(page), ...names.filter(isName)])].map(String)
}

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

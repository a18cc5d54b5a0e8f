import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import { decodePageText } from '../../kit/read-pages.ts'
import { pollUntil } from '../../kit/recorded-http.ts'
import { readRequest } from '../verifier/open-request.ts'
import type { BegunLogin, IdpContext } from './context.ts'

type Polling = Pick<IdpContext, 'httpAs' | 'target' | 'baseUrl' | 'signal'>

/** Asks for the status of a session (profile/idp, Endpoints). */
export function requestStatus(
  { httpAs, baseUrl }: Pick<Polling, 'httpAs' | 'baseUrl'>,
  session: string,
): Promise<HttpAnswer> {
  const query = new URLSearchParams({ session })
  return httpAs('browser').request(`${baseUrl}/idp/api/auth/requests?${query}`)
}

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

import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { decodePageText } from '../../kit/read-pages.ts'

const code = '([\\w.~-]{6,200})'

/** Where pages tell their script which session to poll, the surest place first. */
const places = [
  // The address that is polled, as it is documented.
  new RegExp(`/idp/api/auth/requests/?\\?(?:[^"'\\s]*&)?session=${code}`),
  new RegExp(`data-session(?:-?(?:code|id))?\\s*=\\s*["']?${code}`, 'i'),
  new RegExp(`[?&]session=${code}`),
  new RegExp(`\\bsession[_-]?(?:code|id)?["']?\\s*[:=]\\s*["'\`]${code}["'\`]`, 'i'),
  new RegExp(
    `<input\\b[^>]*name=["']?session(?:[_-]?(?:code|id))?["']?[^>]*value=["']?${code}`,
    'i',
  ),
]

/** The session code of a login's page (Document 1, Verification session), where it can be found. */
export function findSessionCode({ text, url }: HttpPage): string | undefined {
  const source = decodePageText(text)
  const found = places.map((place) => place.exec(source)?.[1]).find(Boolean)
  return found ?? URL.parse(url)?.searchParams.get('session') ?? undefined
}

/** As {@link findSessionCode}; a check that polls ends as inconclusive without one. */
export const sessionCodeOf = (page: HttpPage): string =>
  findSessionCode(page) ??
  endCheck(inconclusive('The page tells no session code that could be polled.'))

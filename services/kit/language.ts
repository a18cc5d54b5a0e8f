import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from './define-route.ts'
import { seeOther } from './page.ts'
import { readCookie } from './read-request.ts'

/** The languages of the pages, BCP 47. */
const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** The same texts in every language. */
export type Texts<Shape> = Readonly<Record<Language, Shape>>

/**
 * The cookie with the language that the reader chose. Browsers share cookies between the ports of a
 * host, so a choice applies to all pages of a testbed.
 */
export const languageCookie = 'lear-testbed-language'

export const isLanguage = (text: unknown): text is Language =>
  languages.some((language) => language === text)

/**
 * Returns the language that the reader chose, otherwise the first supported one of `ui_locales`
 * (OpenID Connect Core 3.1.2.1), otherwise the browser's preferred one, otherwise English.
 */
export function languageOf(
  request: Pick<IncomingMessage, 'headers'>,
  uiLocales?: unknown,
): Language {
  const chosen = readCookie(request, languageCookie)
  if (isLanguage(chosen)) return chosen
  const requested = typeof uiLocales === 'string' ? uiLocales.slice(0, 500).split(' ') : []
  const tags = [...requested, ...byPreference(request.headers['accept-language'])]
  return tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}

/** The language ranges of Accept-Language, the preferred one first (RFC 9110, 12.5.4). */
function byPreference(acceptLanguage: string | undefined): readonly string[] {
  return (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry, index) => {
      const [tag = '', ...parameters] = entry.trim().split(/\s*;\s*/)
      const quality = parameters.find((each) => /^q=/i.test(each))?.slice(2)
      return { tag, quality: Number(quality ?? 1), index }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index)
    .map(({ tag }) => tag)
}

/** The attributes of a cookie that keeps a choice for a year. Lax: another site starts a sign-in. */
export const keptChoice = 'HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000'

/**
 * Keeps the language that the address of a page chooses with `lang`, and redirects to the page
 * without it. Undefined if the address chooses none.
 */
export function keepLanguage({ query, path }: Request): Reply | undefined {
  if (!isLanguage(query.lang)) return undefined
  return seeOther(path, { 'set-cookie': `${languageCookie}=${query.lang}; ${keptChoice}` })
}

/** The link to a page, which calls `keepLanguage`, in the other language. */
export function languageSwitch(language: Language, path: string): SafeHtml {
  const [other, name] = language === 'en' ? ['es', 'Español'] : ['en', 'English']
  return html`<p class="languages"><a href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${name}</a></p>`
}

import type { Request } from 'express'
import { readCookie } from '#testbed/control/authentication.ts'

/** The languages of the console, BCP 47. */
const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** The same texts in every language. */
export type Texts<Shape> = Readonly<Record<Language, Shape>>

export const languageCookie = 'lear-testbed-language'

export const isLanguage = (text: unknown): text is Language =>
  languages.some((language) => language === text)

/** The language that the reader chose, else the supported language that the browser prefers. */
export function languageOf(request: Request): Language {
  const chosen = readCookie(request, languageCookie)
  if (isLanguage(chosen)) return chosen
  return (request.acceptsLanguages([...languages]) || 'en') as Language
}

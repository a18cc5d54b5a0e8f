import { describe, expect, it } from 'vitest'
import { languageCookie, languageOf } from '#kit/language.ts'

const languageFor = (accepted: string | undefined, uiLocales?: unknown, cookie?: string) =>
  languageOf(
    { headers: { ...(accepted && { 'accept-language': accepted }), ...(cookie && { cookie }) } },
    uiLocales,
  )

describe('the language of a page', () => {
  it.each([undefined, '', 'en', 'de', 'xx;q=1, en;q=0.5', 'en;q=nonsense', ';;,,', '*', 'es;q=0'])(
    'is English for the browser’s %j',
    (accepted) => {
      expect(languageFor(accepted)).toBe('en')
    },
  )

  it.each(['es', 'es-ES,en;q=0.9', 'de, es;q=0.8, en;q=0.7', 'en;q=0.2,ES-mx;q=0.9'])(
    'is Spanish for the browser’s %j',
    (accepted) => {
      expect(languageFor(accepted)).toBe('es')
    },
  )

  it('is the first supported one of ui_locales, regardless of the browser', () => {
    expect(languageFor('en', 'fr es-ES en')).toBe('es')
    expect(languageFor('es', 'fr')).toBe('es')
    expect(languageFor('es', ['en'])).toBe('es')
  })

  it('is the one that the reader chose, regardless of ui_locales', () => {
    const cookie = (value: string) => `a=b; ${languageCookie}=${value}; c=d`
    expect(languageFor('en', 'en', cookie('es'))).toBe('es')
    expect(languageFor('en', 'es', cookie('fr'))).toBe('es')
  })
})

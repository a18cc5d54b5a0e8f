import { english } from './english.ts'
import { spanish } from './spanish.ts'
import type { Texts } from './texts.ts'

const languages: readonly Texts[] = [english, spanish]

const find = (tag: string): Texts | undefined =>
  languages.find(({ language }) => language === tag.toLowerCase().split('-')[0])

/**
 * The texts in the first language of `ui_locales` that there is (OpenID Connect Core 3.1.2.1), else
 * in the one that the browser likes best, else English.
 */
export function selectTexts(acceptLanguage: string | undefined, uiLocales?: unknown): Texts {
  const asked = typeof uiLocales === 'string' ? uiLocales.slice(0, 500).split(' ') : []
  const [texts] = [...asked, ...byPreference(acceptLanguage)].flatMap((tag) => find(tag) ?? [])
  return texts ?? english
}

/** The language ranges of Accept-Language, the most welcome one first (RFC 9110, 12.5.4). */
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

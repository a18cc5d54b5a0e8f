import { english } from './english.ts'
import type { Texts } from './texts.ts'

const languages: readonly Texts[] = [english]

/** The texts in the language that a browser likes best (Accept-Language); English otherwise. */
export function selectTexts(acceptLanguage: string | undefined): Texts {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry, index) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2)
      return { language: tag.split('-')[0], quality: Number(quality ?? 1), index }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index)
  for (const { language } of wanted) {
    const texts = languages.find((each) => each.language === language)
    if (texts) return texts
  }
  return english
}

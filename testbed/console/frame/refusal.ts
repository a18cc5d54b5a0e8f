import { html, type SafeHtml } from '#core/html/html.ts'
import { paragraphAddress } from '#core/profile/paragraph.ts'
import type { Frame } from './page.ts'
import { frameTexts } from './rooms.ts'

/**
 * Starts the reason of a rejection with a capital letter, as the values next to it do. Names of
 * members keep theirs.
 */
export const asSentence = (reason: string): string =>
  reason.replace(/^(a|an|fetching|it|its|more|no|the|there|this)\b/, (word) =>
    word.replace(/^./, (letter) => letter.toUpperCase()),
  )

/**
 * The paragraph of a rule with its label: a link if the console has the documentation.
 * @param paragraph `docs/profile/PAGE.md#ID`
 */
export function paragraphRow(
  { language, documentationPath }: Frame,
  paragraph: string | undefined,
): SafeHtml | undefined {
  if (paragraph === undefined) return undefined
  const shown = paragraph.replace(/^docs\/profile\//, '')
  return html`<dt>${frameTexts[language].refusal.paragraph}</dt><dd>${
    documentationPath === undefined
      ? html`<code>${shown}</code>`
      : html`<a href="${paragraphAddress('/docs', paragraph)}">${shown}</a>`
  }</dd>`
}

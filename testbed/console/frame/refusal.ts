import { html, type SafeHtml } from '#core/html/html.ts'
import { paragraphAddress } from '#core/profile/paragraph.ts'
import type { Frame } from './page.ts'
import { frameTexts } from './rooms.ts'

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

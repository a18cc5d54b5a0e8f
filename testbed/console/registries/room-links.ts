import { html, type SafeHtml } from '#core/html/html.ts'
import type { Frame } from '../frame/page.ts'
import { registriesTexts } from './texts.ts'

const pages = [
  ['registries', ''],
  ['chain', '/chain'],
  ['changes', '/changes'],
] as const

/** Links between the pages of the room. */
export function roomLinks(
  { language, environment, built }: Frame,
  current?: (typeof pages)[number][0],
): SafeHtml {
  const { links, pagesOfRoom } = registriesTexts[language]
  const shown = pages.filter(([, path]) => built.has(`/registries/:env${path}`))
  return html`<nav class="room-links" aria-label="${pagesOfRoom}">${shown.map(
    ([name, path]) =>
      html`<a href="/registries/${environment}${path}"${name === current && html` aria-current="page"`}>${links[name]}</a>`,
  )}</nav>`
}

import { html, type SafeHtml } from '#core/html/html.ts'
import { page } from './page.ts'

/** The page between two tasks. */
export function waitingPage(targetName: string, version: string): SafeHtml {
  return page({
    title: 'The kit is at work',
    version,
    body: html`<main class="card" id="waiting">
<p class="soft small">${targetName}</p>
<h1 tabindex="-1">The kit is at work</h1>
<p>The next code appears here by itself. Keep the wallet at hand.</p>
<noscript><p><a class="button" href="">Look again</a></p></noscript>
</main>`,
  })
}

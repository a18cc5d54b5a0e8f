import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { page } from './page.ts'

/** What an OpenID provider sent back with the browser. */
export function callbackPage(parameters: Readonly<Record<string, string | undefined>>): Reply {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const succeeded = parameters.code !== undefined
  return page(
    200,
    'Back from the login',
    html`<main class="narrow">
<h1>${succeeded ? 'The login has succeeded' : 'The login has come back without a code'}</h1>
<p>${succeeded && 'A relying party would exchange this code for tokens now.'}</p>
<dl>${given.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>
</main>`,
  )
}

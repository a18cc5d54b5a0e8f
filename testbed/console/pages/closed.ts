import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { page } from './page.ts'

/** Says why the console does not open and how it does. */
export function closedPage(
  reason = 'The console opens by the link that the testbed prints when it starts.',
): Reply {
  return page(
    401,
    'Testbed console',
    html`<main class="narrow">
<h1>Testbed console</h1>
<p>${reason}</p>
<p>For another browser, ask for a new link:</p>
<pre>curl -X POST -H "authorization: Bearer <i>control.token of testbed.json</i>" <i>this address</i>/control/console-links</pre>
</main>`,
  )
}

import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Hop } from '#kit/traces.ts'
import type { Address } from '#testbed/services/addresses.ts'
import { page, scrollable } from './page.ts'

export interface ConsolePageOptions {
  readonly environments: readonly string[]
  readonly addresses: readonly Address[]
  /** Newest first. */
  readonly hops: readonly Hop[]
  /** Unix seconds. */
  readonly now: number
  /** Offset of the clock, in milliseconds. */
  readonly offset: number
  /** Undefined if this installation has no documentation. */
  readonly documentationPath: string | undefined
}

function addressRow({ name, url, healthUrl, docsUrl }: Address): SafeHtml {
  return html`<tr data-url="${healthUrl && url}">
<td class="health">${healthUrl && html`<span class="dot" title="not asked yet"></span>`}</td>
<th scope="row">${name}</th>
<td class="address">${url}</td>
<td>${docsUrl && html`<a href="${docsUrl}">API</a>`}</td>
</tr>`
}

function hopRow({ id, at, from, to, kind, method, url, status, durationMilliseconds }: Hop) {
  const what = kind === 'http' ? `${method} ${url}` : url
  return html`<tr data-id="${id}" class="${status >= 400 && 'failed'}">
<td class="time">${new Date(at).toISOString().slice(11, 23)}</td>
<td>${from}</td><td>${to}</td>
<td class="what">${what}</td>
<td class="number">${status}</td>
<td class="number">${durationMilliseconds.toFixed(1)}</td>
</tr>`
}

/** Addresses with their health, and the last hops; the page's script keeps both up to date. */
export function consolePage({
  environments,
  addresses,
  hops,
  now,
  offset,
  documentationPath,
}: ConsolePageOptions): Reply {
  const inbox = addresses.find(({ name }) => name.startsWith('mail (inbox'))
  const groups = [...new Set(addresses.map(({ group }) => group))]
  const time = new Date(now * 1000).toISOString().replace('.000Z', ' UTC').replace('T', ' ')
  const moved = offset !== 0 && html` <strong>(moved by ${Math.round(offset / 1000)} s)</strong>`
  return page(
    200,
    'Testbed console',
    html`<header>
<h1>Testbed</h1>
<p>Clock when this page was loaded: ${time}${moved}${inbox && html` · <a href="${inbox.url}">received emails</a>`}${environments.map(
      (name) => html` · <a href="/registries/${name}">registries of ${name}</a>`,
    )}${documentationPath && html` · <a href="${documentationPath}">documentation</a>`}</p>
</header>
<main>
<section class="addresses">
${groups.map(
  (group) => html`<table>
<caption>${group}</caption>
<tbody>${addresses.filter((each) => each.group === group).map(addressRow)}</tbody>
</table>`,
)}
</section>
<section>
<h2>Last hops</h2>
${scrollable(
  'Last hops',
  html`<table id="hops" data-last="${hops[0]?.id ?? 0}">
<thead><tr><th>time</th><th>from</th><th>to</th><th>what</th><th>status</th><th>ms</th></tr></thead>
<tbody>${hops.map(hopRow)}</tbody>
</table>`,
)}
</section>
</main>
<script src="/assets/console.js" type="module"></script>`,
  )
}

/** What an OpenID provider returned through the browser. */
export function callbackPage(parameters: Readonly<Record<string, string | undefined>>): Reply {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const succeeded = parameters.code !== undefined
  return page(
    200,
    'Login result',
    html`<main class="narrow">
<h1>${succeeded ? 'The login succeeded' : 'The login returned no code'}</h1>
<p>${succeeded && 'A relying party would now exchange this code for tokens.'}</p>
<dl>${given.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>
</main>`,
  )
}

import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Hop } from '#kit/traces.ts'
import type { Address } from '#testbed/services/addresses.ts'
import { consolePage, type Frame, scrollable } from '../frame/page.ts'

export interface HomePageOptions {
  readonly addresses: readonly Address[]
  /** Newest first. */
  readonly hops: readonly Hop[]
}

function addressRow({ name, url, healthUrl, docsUrl }: Address): SafeHtml {
  return html`<tr data-url="${healthUrl && url}">
<td class="health">${healthUrl && html`<span class="dot" title="not asked yet"></span>`}</td>
<th scope="row">${name}</th>
<td class="what">${url}</td>
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

/** Addresses with their health, and the last exchanges; the script keeps both up to date. */
export function homePage(frame: Frame, { addresses, hops }: HomePageOptions): Reply {
  const groups = [...new Set(addresses.map(({ group }) => group))]
  return consolePage(frame, {
    title: 'Testbed',
    room: 'home',
    script: 'home.js',
    body: html`<section class="columns">
${groups.map(
  (group) => html`<table>
<caption>${group}</caption>
<tbody>${addresses.filter((each) => each.group === group).map(addressRow)}</tbody>
</table>`,
)}
</section>
<section>
<h2>Last exchanges</h2>
${scrollable(
  'Last exchanges',
  html`<table id="hops" data-last="${hops[0]?.id ?? 0}">
<thead><tr><th>time</th><th>from</th><th>to</th><th>what</th><th>status</th><th>ms</th></tr></thead>
<tbody>${hops.map(hopRow)}</tbody>
</table>`,
)}
</section>`,
  })
}

import { isDeepStrictEqual } from 'node:util'
import { html, type SafeHtml } from '#core/html/html.ts'
import type { ScenarioHop } from '#scenarios/harness/z-results.ts'
import { type DecodedToken, decodeTokens, shortenTokens } from './decode-tokens.ts'
import { formatDuration } from './format-duration.ts'
import { type HopGroup, labelOf } from './group-hops.ts'
import { renderJson } from './render-json.ts'

function renderToken({ path, header, payload, tokens }: DecodedToken): SafeHtml {
  const name = path === '' ? 'Token' : path
  return html`<div class="token"><h6>${name} <span class="faint">decoded, ${header.alg ?? 'no alg'}</span></h6><div class="parts"><div><p class="part">Header</p>${renderJson(header)}</div><div><p class="part">Payload</p>${renderJson(shortenTokens(payload))}</div></div>${tokens.map(renderToken)}</div>`
}

/** What is between the lines of a form or a query is easier to read as an object. */
function queryOf(url: string): Record<string, string> | undefined {
  const query = url.split('?')[1]
  return query ? Object.fromEntries(new URLSearchParams(query)) : undefined
}

/** Members of a form that hold JSON as text are easier to read as what they hold. */
function expandJson(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member !== 'string' || !/^\s*[{[]/.test(member)) return [name, member]
      try {
        return [name, JSON.parse(member)]
      } catch {
        return [name, member]
      }
    }),
  )
}

function renderMessage(
  title: string,
  headers: Readonly<Record<string, string>> | undefined,
  body: unknown,
  query?: Record<string, string>,
): SafeHtml | undefined {
  const shown = headers !== undefined && Object.keys(headers).length > 0 ? headers : undefined
  if (shown === undefined && body === undefined && query === undefined) return undefined
  const tokens = decodeTokens({
    ...shown,
    ...(query ?? {}),
    ...(body === undefined ? {} : { body }),
  })
  const named = tokens.map((token) => ({ ...token, path: token.path.replace(/^body\.?/, '') }))
  return html`<section class="message"><h5>${title}</h5>
  ${shown && html`<dl class="headers">${Object.entries(shown).map(([name, value]) => html`<dt>${name}</dt><dd>${shortenTokens(value)}</dd>`)}</dl>`}
  ${query && html`<p class="part">Query</p>${renderJson(shortenTokens(expandJson(query)))}`}
  ${body !== undefined && html`<p class="part">Body</p>${renderJson(shortenTokens(body))}`}
  ${named.map(renderToken)}</section>`
}

function renderExchange(hop: ScenarioHop): SafeHtml {
  const isForm = hop.requestHeaders?.['content-type']?.includes('urlencoded') ?? false
  const sent = isForm ? expandJson(hop.requestBody) : hop.requestBody
  const request = renderMessage('Request', hop.requestHeaders, sent, queryOf(hop.url))
  const response = renderMessage(`Response ${hop.status}`, hop.responseHeaders, hop.responseBody)
  const time = new Date(hop.at).toISOString().slice(11, 23)
  return html`<p class="faint exchange">${shortenTokens(labelOf(hop))}, at ${time} UTC by the testbed's clock, ${formatDuration(hop.durationMilliseconds)}</p><div class="messages">${request}${response}</div>`
}

const sameMessages = (one: ScenarioHop, other: ScenarioHop) =>
  one.url === other.url &&
  isDeepStrictEqual(one.requestBody, other.requestBody) &&
  isDeepStrictEqual(one.responseBody, other.responseBody)

/** One line for an exchange, or several alike, that opens to what was sent and answered. */
export function hopSection(group: HopGroup, id: string): SafeHtml {
  const { first, hops, number } = group
  const distinct = hops.filter(
    (hop, index) => hops.findIndex((earlier) => sameMessages(earlier, hop)) === index,
  )
  const times = hops.length > 1 ? html`<span class="times">×${hops.length}</span>` : undefined
  const kind = first.status >= 500 ? 'bad' : first.status >= 400 ? 'warn' : 'good'
  return html`<details class="exchange-details"><summary><span class="no">${number}</span><span class="who">${first.from} → ${first.to}</span><code>${labelOf(first)}</code>${times}<span class="code ${kind}">${first.status}</span></summary><div id="${id}" class="exchanges">${distinct.map(renderExchange)}</div></details>\n`
}

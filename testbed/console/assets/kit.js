// What the modules of several pages use. They render with lit-html, which escapes every value:
// `import { html, render } from './lit-html/lit-html.js'`.

/** The JSON that the server put into the page. */
export function pageData() {
  return JSON.parse(document.getElementById('main').dataset.page ?? '{}')
}

/** The environment of the page, for example `pre`. */
export const environment = () => document.getElementById('main').dataset.environment

/**
 * An error that the testbed reported: `code`, `message`, and the whole answer as `detail`. `lang` is
 * that of the message, if it is not that of the page: services write in English.
 */
export class CallError extends Error {
  constructor(status, detail, lang) {
    super(detail?.error_description ?? detail?.message ?? `HTTP ${status}`)
    this.lang = lang
    this.status = status
    this.code = detail?.error ?? detail?.code
    this.detail = detail
  }
}

const keyName = 'lear-testbed-key'
const given = new URLSearchParams(location.hash.slice(1))
if (given.has('key')) {
  localStorage.setItem(keyName, given.get('key'))
  history.replaceState(history.state, '', location.pathname + location.search)
  const to = given.get('to')
  if (/^\/(docs|runs)/.test(to)) location.replace(to)
}

/** Calls an address of the console and returns its JSON; throws a CallError for status >= 400. */
export async function call(method, path, body) {
  const texts = JSON.parse(document.getElementById('main').dataset.calls)
  const response = await fetch(path, {
    method,
    headers: {
      'x-console-key': localStorage.getItem(keyName) ?? '',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CallError(0, { message: texts.unreachable })
  })
  if (response.status === 401) throw new CallError(401, { message: texts.ended })
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const answer = isJson ? await response.json() : undefined
  if (!response.ok) throw new CallError(response.status, answer, 'en')
  return answer
}

/** Inserts values for names in braces: `fill('{n} left', { n: 3 })`. */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

/** A time of day as in all sections: `04:57:39 UTC`. */
export const clockTime = (at) => `${new Date(at).toISOString().slice(11, 19)} UTC`

/** A long value, shortened in the middle. */
export function shorten(value, head = 10, tail = 6) {
  return value.length <= head + tail + 1 ? value : `${value.slice(0, head)}…${value.slice(-tail)}`
}

/**
 * Whether a stream that had an error connects again. After a rejected answer the browser gives up:
 * then the session has ended, as the notice says.
 */
export const isLost = ({ readyState }) => readyState === EventSource.CONNECTING

/** Calls `onHop` with each recorded exchange after `since`. */
export function followHops(since, onHop) {
  const stream = new EventSource(`/control/traces/stream?since=${since}`)
  stream.addEventListener('hop', ({ data }) => onHop(JSON.parse(data)))
}

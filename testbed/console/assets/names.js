// DIDs and other long values in pages that modules draw: shortened, with a button that copies them,
// and next to the name that people know. `page` has the names by DID, and the label `copy`.
import { shorten } from './kit.js'
import { html } from './lit-html/lit-html.js'

const isDid = (value) => /^did:[a-z\d]+:[^\s"<>]+$/.test(value)
const isRandom = (value) => /^[\w-]{30,}$/.test(value)

const copyButton = (value, shown, { copy }) =>
  html`<button type="button" class="copy" data-copy=${value} aria-label="${copy} ${shown}">⧉</button>`

/** A hash, key or other long value. */
export function shortened(value, page, head, tail) {
  const shown = shorten(value, head, tail)
  return html`<span class="hash"><code title=${value}>${shown}</code>${copyButton(value, shown, page)}</span>`
}

/** A DID, or the URL of one of its keys. */
export function namedDid(value, page) {
  const name = page.names[value.split('#')[0]]
  if (name === undefined) return shortened(value, page, 20, 6)
  const shown = shorten(value, 20, 6)
  return html`<span class="named">${name} <span class="hash"><code class="soft" title=${value}>${shown}</code>${copyButton(value, shown, page)}</span></span>`
}

/** A value of a message: names next to DIDs, other long values shortened, the rest unchanged. */
export function shownValue(value, page) {
  if (isDid(value)) return namedDid(value, page)
  return isRandom(value) ? shortened(value, page) : value
}

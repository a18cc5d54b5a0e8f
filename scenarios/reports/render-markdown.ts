import { html, type SafeHtml, trustedHtml } from '#core/html/html.ts'

const inlineForms = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\((https?:[^)\s]+)\)/g

function renderInline(text: string): SafeHtml {
  const parts: SafeHtml[] = []
  let end = 0
  for (const match of text.matchAll(inlineForms)) {
    const [whole, code, strong, emphasis, label, address] = match
    parts.push(html`${text.slice(end, match.index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`)
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`)
    else parts.push(html`<a href="${address}">${label}</a>`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

function renderBlock(block: string): SafeHtml {
  const lines = block.split('\n')
  for (const [marker, tag] of [
    [/^\s*[-*] +/, 'ul'],
    [/^\s*\d+\. +/, 'ol'],
  ] as const) {
    if (!marker.test(lines[0] ?? '')) continue
    const items = block.split(new RegExp(`\\n(?=${marker.source.slice(1)})`))
    const list = items.map((item) => html`<li>${renderInline(item.replace(marker, ''))}</li>`)
    return html`${trustedHtml(`<${tag}>`)}${list}${trustedHtml(`</${tag}>`)}`
  }
  return html`<p>${renderInline(block)}</p>`
}

/** The little Markdown of descriptions: paragraphs, lists, code, emphasis and links. */
export function renderMarkdown(text: string): SafeHtml {
  const blocks = text.trim().split(/\n\s*\n/)
  return html`${blocks.map((block) => renderBlock(block.trim()))}`
}

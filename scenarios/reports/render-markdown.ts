import { Markup, markup } from './markup.ts'

const inlineForms = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\((https?:[^)\s]+)\)/g

function renderInline(text: string): Markup {
  const parts: Markup[] = []
  let end = 0
  for (const match of text.matchAll(inlineForms)) {
    const [whole, code, strong, emphasis, label, address] = match
    parts.push(markup`${text.slice(end, match.index)}`)
    if (code !== undefined) parts.push(markup`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(markup`<strong>${strong}</strong>`)
    else if (emphasis !== undefined) parts.push(markup`<em>${emphasis}</em>`)
    else parts.push(markup`<a href="${address}">${label}</a>`)
    end = match.index + whole.length
  }
  return markup`${parts}${text.slice(end)}`
}

function renderBlock(block: string): Markup {
  const lines = block.split('\n')
  for (const [marker, tag] of [
    [/^\s*[-*] +/, 'ul'],
    [/^\s*\d+\. +/, 'ol'],
  ] as const) {
    if (!marker.test(lines[0] ?? '')) continue
    const items = block.split(new RegExp(`\\n(?=${marker.source.slice(1)})`))
    const list = items.map((item) => markup`<li>${renderInline(item.replace(marker, ''))}</li>`)
    return markup`${new Markup(`<${tag}>`)}${list}${new Markup(`</${tag}>`)}`
  }
  return markup`<p>${renderInline(block)}</p>`
}

/** The little Markdown of descriptions: paragraphs, lists, code, emphasis and links. */
export function renderMarkdown(text: string): Markup {
  const blocks = text.trim().split(/\n\s*\n/)
  return markup`${blocks.map((block) => renderBlock(block.trim()))}`
}

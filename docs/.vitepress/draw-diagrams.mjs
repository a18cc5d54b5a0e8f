import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderMermaidSVG } from 'beautiful-mermaid'

const themes = {
  light: { bg: '#ffffff', fg: '#182136', accent: '#1d4ed8', muted: '#525d72' },
  dark: { bg: '#1b1b1f', fg: '#e9edf5', accent: '#8fb0ff', muted: '#a9b3c5' },
}

// Keeps text readable on top of lines.
const halo =
  'text { paint-order: stroke; stroke: var(--bg); stroke-width: 4px; stroke-linejoin: round; }'

const attribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/**
 * Draws the Mermaid blocks of pages while the site is built, so that the browser needs no script
 * for them: one picture for each theme. `accTitle` is the text for readers who do not see it.
 */
export function createDiagrams() {
  const pictures = new Map()
  return {
    /** Adds the drawing of Mermaid blocks to markdown-it. */
    use(markdown) {
      const { fence } = markdown.renderer.rules
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index]
        if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
        const title = /^\s*accTitle: *(.+)$/m.exec(content)?.[1] ?? 'Diagram'
        const diagram = content.replace(/^\s*acc(Title|Descr):.*\n/gm, '')
        const name = createHash('sha256').update(content).digest('hex').slice(0, 12)
        return Object.entries(themes)
          .map(([theme, colors]) => {
            const svg = renderMermaidSVG(diagram, { ...colors, padding: 16, font: 'system-ui' })
            const file = `${name}-${theme}.svg`
            // A font from elsewhere would need a network.
            pictures.set(
              file,
              svg.replace(/@import url\([^)]*\);?/g, '').replace('<style>', `<style>${halo}`),
            )
            // A bound attribute: VitePress looks for a file behind any other.
            return `<img class="diagram ${theme}" :src="'/docs/diagrams/${file}'" alt="${attribute(title)}">`
          })
          .join('\n')
      }
    },
    write(folder) {
      mkdirSync(join(folder, 'diagrams'), { recursive: true })
      for (const [file, svg] of pictures) writeFileSync(join(folder, 'diagrams', file), svg)
    },
  }
}

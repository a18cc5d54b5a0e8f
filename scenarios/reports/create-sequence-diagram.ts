import { html, type SafeHtml } from '#core/html/html.ts'
import type { StepResult } from '#scenarios/harness/z-results.ts'
import { formatDuration } from './format-duration.ts'
import { type HopGroup, labelOf } from './group-hops.ts'

/** From left to right: who uses the system, what serves them, and what those lean on. */
const order = [
  'browser',
  'wallet',
  'portal',
  'relying-party',
  'client',
  'control',
  'token-issuer',
  'idp',
  'verifier',
  'issuer',
  'connector',
  'management',
  'api-keys',
  'did-registry',
  'tir',
  'chain',
  'mail',
  'mailbox',
]

const roomiest = 1340
const [narrowest, widest] = [92, 170]
const margin = 64
const rowHeight = 34
const stepHeight = 40
const headHeight = 44
const characterWidth = 6.7
const longestLabel = 62

export interface SequenceDiagramOptions {
  readonly groups: readonly HopGroup[]
  readonly steps: readonly StepResult[]
  /** Address within the page of a hop's details. */
  readonly hrefOf: (group: HopGroup) => string
}

function lifelinesOf(groups: readonly HopGroup[]): string[] {
  const names = new Set(groups.flatMap(({ first }) => [first.from, first.to]))
  const rank = (name: string) => {
    const position = order.indexOf(name)
    return position === -1 ? order.length : position
  }
  return [...names].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
}

const shorten = (text: string, length: number) => {
  if (text.length <= length) return text
  const half = Math.floor((length - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

const statusClass = (status: number) =>
  status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'moved' : 'good'

function drawHead(
  names: readonly string[],
  xOf: (name: string) => number,
  width: number,
): SafeHtml {
  const boxes = names.map((name) => {
    const x = xOf(name)
    const boxWidth = Math.max(56, name.length * 6.8 + 14)
    return html`<g><rect class="actor" x="${x - boxWidth / 2}" y="8" width="${boxWidth}" height="28" rx="7"/><text class="actor-name" x="${x}" y="27">${name}</text></g>`
  })
  return html`<svg class="heads" width="${width}" height="${headHeight}" viewBox="0 0 ${width} ${headHeight}" aria-hidden="true">${boxes}</svg>`
}

/** Where a label begins: beside the number of its arrow, and never beyond the edges. */
function placeLabel(x: number, towards: number, labelWidth: number, width: number): number {
  const beside = towards < x ? x - 18 - labelWidth : x + (towards === x ? 44 : 14)
  return Math.max(8, Math.min(beside, width - labelWidth - 8))
}

function drawArrow(
  group: HopGroup,
  x: number,
  towards: number,
  y: number,
  width: number,
): SafeHtml {
  const { first, hops, number } = group
  const direction = towards > x ? 1 : -1
  const tip = towards - direction * 2
  const line =
    x === towards
      ? html`<path class="line" d="M${x} ${y - 8} h34 v12 h-26"/><path class="tip" d="M${x + 3} ${y + 4} l9 -5 v10 z"/>`
      : html`<line class="line" x1="${x}" y1="${y}" x2="${tip - direction * 7}" y2="${y}"/><path class="tip" d="M${tip} ${y} l${-direction * 9} -5 v10 z"/>`
  const count = hops.length > 1 ? ` ×${hops.length}` : ''
  const duration = formatDuration(Math.max(...hops.map((hop) => hop.durationMilliseconds)))
  const label = shorten(labelOf(first), longestLabel)
  const text = `${label} ${first.status}${count} ${duration}`
  const start = placeLabel(x, towards, text.length * characterWidth, width)
  const title = `${number}. ${first.from} to ${first.to}: ${first.method} ${first.url}, ${first.status}${count}, ${duration}`
  return html`
  <title>${title}</title><rect class="hit" x="4" y="${y - 20}" width="${width - 8}" height="${rowHeight - 4}" rx="5"/>${line}<circle class="number-disc" cx="${x}" cy="${y}" r="9"/><text class="number" x="${x}" y="${y + 3.5}">${number}</text><text class="label" x="${start}" y="${y - 6}"><tspan>${label}</tspan> <tspan class="status">${first.status}</tspan><tspan class="faint">${count} ${duration}</tspan></text>`
}

/**
 * Draws the hops of a scenario as a sequence diagram in SVG: a lifeline for each part, an arrow
 * for each exchange with method, path, status and duration, and a band for each step.
 */
export function createSequenceDiagram(options: SequenceDiagramOptions): SafeHtml {
  const { groups, steps, hrefOf } = options
  const names = lifelinesOf(groups)
  const gaps = Math.max(1, names.length - 1)
  const spacing = Math.max(narrowest, Math.min(widest, (roomiest - 2 * margin) / gaps))
  const width = Math.max(720, 2 * margin + gaps * spacing)
  const xOf = (name: string) => margin + names.indexOf(name) * spacing
  const rows: SafeHtml[] = []
  let y = 6
  let step = 0
  for (const group of groups) {
    if (group.first.step !== step) {
      step = group.first.step
      const title = step === 0 ? 'Outside any step' : `${step}. ${steps[step - 1]?.title ?? ''}`
      const verdict = steps[step - 1]?.verdict === 'failed' ? 'band failed' : 'band'
      rows.push(
        html`<g class="${verdict}"><rect x="4" y="${y + 4}" width="${width - 8}" height="24" rx="6"/><text x="16" y="${y + 20.5}">${title}</text></g>`,
      )
      y += stepHeight
    }
    const { from, to, status } = group.first
    const arrow = drawArrow(group, xOf(from), xOf(to), y + 18, width)
    rows.push(html`<a class="hop ${statusClass(status)}" href="${hrefOf(group)}">${arrow}</a>\n`)
    y += rowHeight
  }
  const height = y + 10
  const lifelines = names.map(
    (name) =>
      html`<line class="lifeline" x1="${xOf(name)}" y1="0" x2="${xOf(name)}" y2="${height}"/>`,
  )
  const label = `Sequence diagram of ${groups.length} exchanges between ${names.join(', ')}`
  return html`<div class="diagram" tabindex="0" role="group" aria-label="${label}">${drawHead(names, xOf, width)}<svg class="arrows" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${lifelines}${rows}</svg></div>`
}

import { element, formatMilliseconds, plainText, shape, statusOf, toneOf } from './element.js'

/**
 * From left to right: the users of the system, the services, and the parts on which these depend.
 * An unknown part is before the first if it only sends requests, and after the last if it receives
 * them.
 */
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

const behindUsers = order.indexOf('token-issuer') - 0.5

/** The width of a screen of 1280 without scrolling. */
const roomiest = 1190
const [narrowest, widest] = [92, 170]
const margin = 64
const rowHeight = 34
const stepHeight = 40
const headHeight = 44
const characterWidth = 6.7
const longestLabel = 62

function lifelinesOf(groups) {
  const names = new Set(groups.flatMap(({ hops: [first] }) => [first.from, first.to]))
  const asked = new Set(groups.map(({ hops: [first] }) => first.to))
  const rank = (name) => {
    const position = order.indexOf(name.replace(/ under test$/, ''))
    if (position !== -1) return position
    return asked.has(name) ? order.length : behindUsers
  }
  return [...names].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
}

function shorten(text, length) {
  if (text.length <= length) return text
  const half = Math.floor((length - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

function drawHead(names, xOf, width) {
  const boxes = names.map((name) => {
    const boxWidth = Math.max(56, name.length * 6.8 + 14)
    return [
      shape('rect', {
        class: 'actor',
        x: xOf(name) - boxWidth / 2,
        y: 8,
        width: boxWidth,
        height: 28,
        rx: 7,
      }),
      shape('text', { class: 'actor-name', x: xOf(name), y: 27 }, name),
    ]
  })
  const viewBox = `0 0 ${width} ${headHeight}`
  return shape(
    'svg',
    { class: 'heads', width, height: headHeight, viewBox, 'aria-hidden': 'true' },
    boxes,
  )
}

/** Start of a label: next to the number of its arrow, and never beyond the edges. */
function placeLabel(x, towards, labelWidth, width) {
  const beside = towards < x ? x - 18 - labelWidth : x + (towards === x ? 44 : 14)
  return Math.max(8, Math.min(beside, width - labelWidth - 8))
}

function drawLine(x, towards, y) {
  if (x === towards) {
    return [
      shape('path', { class: 'line', d: `M${x} ${y - 8} h34 v12 h-26` }),
      shape('path', { class: 'tip', d: `M${x + 3} ${y + 4} l9 -5 v10 z` }),
    ]
  }
  const direction = towards > x ? 1 : -1
  const tip = towards - direction * 2
  return [
    shape('line', { class: 'line', x1: x, y1: y, x2: tip - direction * 7, y2: y }),
    shape('path', { class: 'tip', d: `M${tip} ${y} l${-direction * 9} -5 v10 z` }),
  ]
}

function describeGroup({ number, hops, isFailed, isBroken }) {
  const [first] = hops
  const count = hops.length > 1 ? ` ×${hops.length}` : ''
  const duration = formatMilliseconds(Math.max(...hops.map(({ milliseconds }) => milliseconds)))
  const remarks = [
    ...(isBroken ? ['rules broken'] : []),
    ...(isFailed ? ['the scenario failed here'] : []),
  ]
  const label = plainText(first.label)
  const title = [
    `${number}. ${first.from} to ${first.to}: ${label}`,
    `${statusOf(first)}${count}`,
    duration,
    ...remarks,
  ].join(', ')
  const after = [count, ` ${duration}`].join('')
  return { label: shorten(label, longestLabel), after, title, remarks }
}

function drawArrow(group, x, towards, y, width, href) {
  const { number, hops } = group
  const [first] = hops
  const { label, after, title, remarks } = describeGroup(group)
  const remark = remarks.length === 0 ? '' : ` ✗ ${remarks.join(', ')}`
  const length = `${label} ${statusOf(first)}${after}${remark}`.length * characterWidth
  const start = placeLabel(x, towards, length, width)
  const tone = group.isBroken && toneOf(first) === 'good' ? 'warn' : toneOf(first)
  return shape(
    'a',
    { class: group.isFailed ? `hop bad failed-here` : `hop ${tone}`, href },
    shape(
      'rect',
      { class: 'hit', x: 4, y: y - 20, width: width - 8, height: rowHeight - 4, rx: 5 },
      shape('title', {}, title),
    ),
    drawLine(x, towards, y),
    shape('circle', { class: 'number-disc', cx: x, cy: y, r: 9 }),
    shape('text', { class: 'number', x, y: y + 3.5 }, String(number)),
    shape(
      'text',
      { class: 'label', x: start, y: y - 6 },
      shape('tspan', {}, `${label} `),
      shape('tspan', { class: 'status' }, statusOf(first)),
      shape('tspan', { class: 'faint' }, after),
      remark === '' ? undefined : shape('tspan', { class: 'remark' }, remark),
    ),
  )
}

function drawBand(title, verdict, y, width) {
  return shape(
    'g',
    { class: verdict === 'failed' ? 'band failed' : 'band' },
    shape('rect', { x: 4, y: y + 4, width: width - 8, height: 24, rx: 6 }),
    shape('text', { x: 16, y: y + 20.5 }, title),
  )
}

/**
 * Draws the hops of a scenario as a sequence diagram in SVG: a lifeline for each part, an arrow for
 * each exchange with method, path, status and duration, and a band for each step.
 */
export function drawSequence(groups, steps, hrefOf) {
  const names = lifelinesOf(groups)
  const gaps = Math.max(1, names.length - 1)
  const spacing = Math.max(narrowest, Math.min(widest, (roomiest - 2 * margin) / gaps))
  const width = Math.max(720, 2 * margin + gaps * spacing)
  const xOf = (name) => margin + names.indexOf(name) * spacing
  const rows = []
  let y = 6
  let step = 0
  for (const group of groups) {
    const [first] = group.hops
    if (first.step !== step) {
      step = first.step
      const { title, verdict } = steps[step - 1] ?? {}
      const failed = verdict === 'failed' ? ' ✗ failed' : ''
      rows.push(
        drawBand(
          step === 0 ? 'Outside any step' : `${step}. ${title ?? ''}${failed}`,
          verdict,
          y,
          width,
        ),
      )
      y += stepHeight
    }
    rows.push(drawArrow(group, xOf(first.from), xOf(first.to), y + 18, width, hrefOf(group)))
    y += rowHeight
  }
  const height = y + 10
  const lifelines = names.map((name) =>
    shape('line', { class: 'lifeline', x1: xOf(name), y1: 0, x2: xOf(name), y2: height }),
  )
  const label = `Sequence diagram of ${groups.length} exchanges between ${names.join(', ')}`
  return element(
    'div',
    { class: 'diagram', tabindex: '0', role: 'group', 'aria-label': label },
    drawHead(names, xOf, width),
    shape(
      'svg',
      { class: 'arrows', width, height, viewBox: `0 0 ${width} ${height}` },
      lifelines,
      rows,
    ),
  )
}

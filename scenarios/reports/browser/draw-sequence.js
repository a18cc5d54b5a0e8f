import { element, formatMilliseconds, plainText, shape, statusOf, toneOf } from './element.js'
import { partName, say, words } from './words.js'

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
/** Between two lifelines. At this distance, 14 parts fit into the console on a screen of 1280. */
const narrowest = 62
/** Next to the first and last lifeline: half of a name, or the arrow of a part to itself. */
const margin = 46
export const rowHeight = 34
const stepHeight = 40
const characterWidth = 7
const [shortestLabel, longestLabel] = [32, 62]

/** The parts of a diagram from left to right; `exchanges` have the names `from` and `to`. */
export function lifelinesOf(exchanges) {
  const names = new Set(exchanges.flatMap(({ from, to }) => [from, to]))
  const asked = new Set(exchanges.map(({ to }) => to))
  const rank = (name) => {
    const position = order.indexOf(name.replace(/ under test$/, ''))
    if (position !== -1) return position
    return asked.has(name) ? order.length : behindUsers
  }
  return [...names].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
}

/**
 * The width of a diagram, the position of each part in it, and the names above, for the space that
 * there is.
 * @param widest the largest distance of two lifelines
 */
export function layOut(names, { available = roomiest, least = 720, widest = 300 } = {}) {
  const gaps = names.length - 1
  const spacing = Math.max(
    narrowest,
    Math.min(widest, (available - 2 * margin) / Math.max(1, gaps)),
  )
  const width = Math.max(least, 2 * margin + gaps * spacing)
  const start = (width - gaps * spacing) / 2
  const heads = wrapNames(names, Math.min(spacing - 3, 2 * start - 8))
  const isTall = heads.some(({ lines }) => lines.length > 1)
  return {
    width,
    xOf: (name) => start + names.indexOf(name) * spacing,
    heads,
    headHeight: isTall ? 52 : 44,
  }
}

/** Widths of a character of a name, in the usual and in the small size. */
const [nameCharacter, smallCharacter] = [6.8, 6.1]
const namePadding = 12

const longest = (lines) => Math.max(...lines.map(({ length }) => length))

/** The names of parts, on two lines and in the small size if the room is too narrow. */
function wrapNames(names, room) {
  const widthOf = (lines, character) => longest(lines) * character + namePadding
  const wrapped = names.map((name) => {
    const shown = partName(name)
    return widthOf([shown], nameCharacter) <= room ? [shown] : inTwoLines(shown)
  })
  const isSmall = wrapped.some((lines) => widthOf(lines, nameCharacter) > room)
  const character = isSmall ? smallCharacter : nameCharacter
  return wrapped.map((lines) => {
    const width = Math.min(room, Math.max(56, widthOf(lines, character)))
    return { lines, isSmall, width }
  })
}

/** Splits a name into two lines of about the same length; one word stays on one line. */
function inTwoLines(name) {
  const parts = name.split(' ')
  const splits = parts
    .slice(1)
    .map((_, index) => [parts.slice(0, index + 1).join(' '), parts.slice(index + 1).join(' ')])
  return splits.sort((one, other) => longest(one) - longest(other))[0] ?? [name]
}

function shorten(text, length) {
  if (text.length <= length) return text
  const half = Math.floor((length - 1) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

/** Narrows the characters of a word that is wider than its box. */
function condense(line, isSmall, boxWidth) {
  const room = boxWidth - namePadding / 2
  const isWider = line.length * (isSmall ? smallCharacter : nameCharacter) > room
  return isWider ? { textLength: room, lengthAdjust: 'spacingAndGlyphs' } : {}
}

/** The names of the parts, above their lifelines. */
export function drawHead(names, { xOf, width, heads, headHeight }) {
  const boxes = heads.map(({ lines, isSmall, width: boxWidth }, index) => {
    const x = xOf(names[index])
    const first = headHeight / 2 + 5 - (lines.length - 1) * 7
    return [
      shape('rect', {
        class: 'actor',
        x: x - boxWidth / 2,
        y: 7,
        width: boxWidth,
        height: headHeight - 14,
        rx: 7,
      }),
      shape(
        'text',
        { class: isSmall ? 'actor-name small-name' : 'actor-name' },
        lines.map((line, row) => [
          // For programs that read the text.
          row === 0 ? undefined : ' ',
          shape('tspan', { x, y: first + row * 14, ...condense(line, isSmall, boxWidth) }, line),
        ]),
      ),
    ]
  })
  const viewBox = `0 0 ${width} ${headHeight}`
  return shape(
    'svg',
    { class: 'heads', width, height: headHeight, viewBox, 'aria-hidden': 'true' },
    boxes,
  )
}

/** Between the middle of a number, or the end of an arrow to the same part, and a label. */
const besideNumber = { before: 18, after: 14, loop: 44 }

/** Characters above an arrow; for an arrow to the same part, on its wider side. */
const roomAbove = (x, towards, width) => {
  const room =
    x === towards
      ? Math.max(x, width - x) - besideNumber.loop
      : Math.abs(towards - x) - besideNumber.after
  return Math.floor((room - 8) / characterWidth)
}

/**
 * The first of these lengths of a label that has room above its arrow, next to the number. If none
 * has, the label is on the other side of the number, or at an edge.
 */
function placeLabel(x, towards, lengths, width) {
  const isFree = ({ start, length }) => start >= 8 && start + length <= width - 8
  const before = (length) => ({ length, start: x - besideNumber.before - length })
  const beside = towards === x ? besideNumber.loop : besideNumber.after
  const after = (length) => ({ length, start: x + beside })
  const [preferred, other] = towards < x ? [before, after] : [after, before]
  const [length] = lengths
  const found = [...lengths.map(preferred), other(length)].find(isFree)
  const start = Math.max(8, Math.min(preferred(length).start, width - length - 8))
  return found ?? { length, start }
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
    ...(isBroken ? [words.rulesBroken] : []),
    ...(isFailed ? [words.failedHere] : []),
  ]
  const label = plainText(first.label)
  const title = [
    say(words.arrow, { number, from: partName(first.from), to: partName(first.to), label }),
    `${statusOf(first)}${count}`,
    duration,
    ...remarks,
  ].join(', ')
  return { label: shorten(label, longestLabel), count, duration: ` ${duration}`, title, remarks }
}

/** The radius of the disc behind a number. */
const radiusOf = (number) => (number > 999 ? 12 : number > 99 ? 10.5 : 9)

/** An exchange as an arrow at the height `y`, with method, path, status and duration. */
export function drawArrow(group, { xOf, width }, y, href) {
  const { number, hops } = group
  const [first] = hops
  const [x, towards] = [xOf(first.from), xOf(first.to)]
  const { label: whole, count, duration, title, remarks } = describeGroup(group)
  const remark = remarks.length === 0 ? '' : ` ✗ ${remarks.join(', ')}`
  const rest = ` ${statusOf(first)}${count}${remark}`
  const room = roomAbove(x, towards, width) - rest.length - duration.length
  const label = shorten(whole, Math.max(shortestLabel, room))
  const untimed = `${label}${rest}`.length * characterWidth
  const timed = untimed + duration.length * characterWidth
  const { start, length } = placeLabel(x, towards, [timed, untimed], width)
  const after = length === timed ? `${count}${duration}` : count
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
    shape('circle', { class: 'number-disc', cx: x, cy: y, r: radiusOf(number) }),
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

export const entryHeight = 46

/** An exchange as two lines of a list, for a window that is too narrow for arrows. */
export function drawEntry(group, width, href) {
  const { number, hops } = group
  const [first] = hops
  const { count, duration, title } = describeGroup(group)
  const tone = group.isBroken && toneOf(first) === 'good' ? 'warn' : toneOf(first)
  const label = shorten(plainText(first.label), Math.floor((width - 44) / characterWidth))
  return shape(
    'a',
    { class: `hop ${tone}`, href },
    shape(
      'rect',
      { class: 'hit', x: 2, y: 2, width: width - 4, height: entryHeight - 4, rx: 5 },
      shape('title', {}, title),
    ),
    shape('circle', { class: 'number-disc', cx: 18, cy: 15, r: number > 999 ? 12 : 10 }),
    shape('text', { class: 'number', x: 18, y: 18.5 }, String(number)),
    shape(
      'text',
      { class: 'label entry', x: 36, y: 19 },
      shape('tspan', {}, `${partName(first.from)} → ${partName(first.to)} `),
      shape('tspan', { class: 'status' }, statusOf(first)),
      shape('tspan', { class: 'faint' }, `${count}${duration}`),
    ),
    shape('text', { class: 'label', x: 36, y: 36 }, label),
  )
}

/** The line of each part, down to the given height. */
export const drawLifelines = (names, { xOf }, height) =>
  names.map((name) =>
    shape('line', { class: 'lifeline', x1: xOf(name), y1: 0, x2: xOf(name), y2: height }),
  )

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
  const names = lifelinesOf(groups.map(({ hops: [first] }) => first))
  const layout = layOut(names)
  const { width } = layout
  const rows = []
  let y = 6
  let step = 0
  for (const group of groups) {
    const [first] = group.hops
    if (first.step !== step) {
      step = first.step
      const { title, verdict } = steps[step - 1] ?? {}
      const failed = verdict === 'failed' ? ` ✗ ${words.stepFailed}` : ''
      rows.push(
        drawBand(
          step === 0 ? words.outsideSteps : `${step}. ${title ?? ''}${failed}`,
          verdict,
          y,
          width,
        ),
      )
      y += stepHeight
    }
    rows.push(drawArrow(group, layout, y + 18, hrefOf(group)))
    y += rowHeight
  }
  const height = y + 10
  const parts = names.map(partName).join(', ')
  return element(
    'div',
    {
      class: 'diagram',
      tabindex: '0',
      role: 'group',
      'aria-label': say(words.diagram, { count: groups.length, parts }),
    },
    drawHead(names, layout),
    shape(
      'svg',
      { class: 'arrows', width, height, viewBox: `0 0 ${width} ${height}` },
      drawLifelines(names, layout, height),
      rows,
    ),
  )
}

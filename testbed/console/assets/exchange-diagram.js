// The sequence diagram of the exchanges as they happen, for the section of the exchanges and for other
// pages. It draws with the modules of the report, and only the rows in view.
import { createExchanges, fits } from './exchange-rows.js'
import { environment, isLost } from './kit.js'
import {
  drawArrow,
  drawEntry,
  drawHead,
  drawLifelines,
  entryHeight,
  layOut,
  lifelinesOf,
  rowHeight,
} from './report/draw-sequence.js'
import { element, shape } from './report/element.js'
import { partName, say, words } from './report/words.js'

/** Larger than in a report, for a projector, if all parts fit. */
const roomy = 1.15
/** The largest distance of two lifelines: that of the labels of most arrows. */
const widest = 380
/** Below this width in pixels, rows are entries of a list instead of arrows. */
const narrow = 640
/** Rows that are drawn above and below those in view. */
const margin = 12

const describeRow = (row, number) => {
  const [first] = row.lines
  return {
    number,
    hops: row.lines,
    isFailed: false,
    isBroken: first.broken > 0,
  }
}

/**
 * The layout for these parts in an element of this width: arrows, larger if all parts fit, or a
 * list.
 */
function layOutIn(names, width) {
  const space = Math.max(300, width)
  if (width < narrow) {
    const layout = { width: space, xOf: () => 0, headHeight: 0, names }
    return { layout, isNarrow: true, zoom: 1 }
  }
  const layOutFor = (available) => layOut(names, { available, least: available, widest })
  const large = layOutFor(Math.floor(space / roomy))
  const fitsWell = large.width * roomy <= space
  const layout = fitsWell ? large : layOutFor(space)
  return { layout: Object.assign(layout, { names }), isNarrow: false, zoom: fitsWell ? roomy : 1 }
}

/** All rows as one drawing. */
function drawRows(rows) {
  const names = lifelinesOf(rows.map(({ lines: [first] }) => first))
  const layout = layOut(names)
  const { width, headHeight } = layout
  const height = headHeight + rows.length * rowHeight + 10
  return shape(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'exchange-view',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
    },
    drawLifelines(names, layout, height),
    drawHead(names, layout),
    rows.map((row, position) =>
      drawArrow(describeRow(row, position + 1), layout, headHeight + position * rowHeight + 18),
    ),
  )
}

/** Receives the exchanges whose messages contain the text, in batches, as they happen. */
function streamExchanges(text, { onStart, onBatch, onLost }) {
  const query = new URLSearchParams({ env: environment(), text })
  const stream = new EventSource(`/console/exchanges/stream?${query}`)
  stream.addEventListener('start', ({ data }) => {
    Object.assign(words, JSON.parse(data).words)
    onStart()
  })
  stream.addEventListener('exchanges', ({ data }) => onBatch(JSON.parse(data)))
  stream.addEventListener('error', () => onLost(isLost(stream)))
  return stream
}

/** Loads the style of diagrams and messages, for elements of the class `exchange-view`. */
export function loadDiagramStyle() {
  const href = '/assets/exchange-diagram.css'
  if (document.querySelector(`link[href="${href}"]`)) return
  document.head.append(element('link', { rel: 'stylesheet', href }))
}

/**
 * Shows a growing sequence diagram in an element.
 * @param filter which exchanges: `journey`, `part`, `status` (`failing`, `redirect`, `success`),
 *   `after` (an id), `matches(line, journey)`
 * @param text only exchanges whose messages contain it
 * @param onSelect called with the id of the exchange that a person selects; without it, the
 *   exchange opens in its own section
 * @param onChange called after the diagram has changed
 * @param onLost called with whether the testbed does not answer
 * @returns {{ update, select, pause, resume, close, exchanges, shown }}
 */
export function mountDiagram(
  target,
  { filter = {}, text = '', onSelect, onChange = () => {}, onLost = () => {} } = {},
) {
  loadDiagramStyle()
  target.classList.add('exchange-view')
  const exchanges = createExchanges()
  let chosenFilter = filter
  let chosenText = text
  let shown = []
  let parts = new Set()
  let layout = layOut([])
  let selected
  let isPaused = false
  let waiting = []
  let stream
  /** Whether the newest row stays in view: until the reader scrolls back from it. */
  let follows = true
  /** The scroll position when it was drawn last. */
  let lastTop = 0

  const lifelines = shape('g')
  const list = shape('g')
  const arrows = shape('svg', { class: 'arrows' }, lifelines, list)
  const head = element('div', { class: 'heads' })
  const diagram = element('div', { class: 'diagram', tabindex: '0', role: 'group' }, head, arrows)
  const jump = element('button', { type: 'button', class: 'button small jump' })
  target.replaceChildren(diagram)
  const drawn = new Map()

  // Measured with the parts: the browser computes the layout again to return a width.
  let isNarrow = false
  const unit = () => (isNarrow ? entryHeight : rowHeight)
  let zoom = 1
  const hrefOf = (row) => {
    const address = new URL('/exchanges', location.href)
    const env = new URLSearchParams(location.search).get('env')
    if (env) address.searchParams.set('env', env)
    address.searchParams.set('exchange', row.id)
    return address.pathname + address.search
  }

  function fitsFilter(row) {
    return fits(row.lines[0], exchanges.journeyOf(row.lines[0].journey), chosenFilter)
  }

  /** Lays the diagram out for the parts that are shown. */
  function arrange() {
    const names = lifelinesOf(shown.map(({ lines: [first] }) => first))
    parts = new Set(names)
    ;({ layout, isNarrow, zoom } = layOutIn(names, diagram.clientWidth))
    for (const { node } of drawn.values()) node.remove()
    drawn.clear()
    head.replaceChildren(...(isNarrow || names.length === 0 ? [] : [drawHead(names, layout)]))
    const [svg] = head.children
    svg?.setAttribute('width', layout.width * zoom)
    svg?.setAttribute('height', layout.headHeight * zoom)
  }

  function resize() {
    const height = shown.length * unit() + 10
    arrows.setAttribute('width', layout.width * zoom)
    arrows.setAttribute('height', height * zoom)
    arrows.setAttribute('viewBox', `0 0 ${layout.width} ${height}`)
    lifelines.replaceChildren(...(isNarrow ? [] : drawLifelines(layout.names, layout, height)))
  }

  function drawRow(row, position) {
    const group = describeRow(row, position + 1)
    const node = isNarrow
      ? drawEntry(group, layout.width, hrefOf(row))
      : drawArrow(group, layout, 18, hrefOf(row))
    node.dataset.row = row.id
    return node
  }

  function place(row, position, before) {
    const known = drawn.get(row)
    const isCurrent = known?.position === position && known.version === row.version
    if (!isCurrent) {
      const node = drawRow(row, position)
      node.setAttribute('transform', `translate(0 ${position * unit()})`)
      if (known === undefined) list.insertBefore(node, before)
      else {
        const hadFocus = document.activeElement === known.node
        known.node.replaceWith(node)
        if (hadFocus) node.focus({ preventScroll: true })
      }
      drawn.set(row, { node, position, version: row.version })
    }
    const { node } = drawn.get(row)
    node.classList.toggle('chosen', row === selected)
    if (row === selected) node.setAttribute('aria-current', 'true')
    else node.removeAttribute('aria-current')
    return node
  }

  /** Draws the rows in view, and removes those that left it. */
  function draw() {
    const height = unit() * zoom
    lastTop = diagram.scrollTop
    const top = Math.max(0, lastTop - head.offsetHeight)
    const first = Math.max(0, Math.floor(top / height) - margin)
    const last = Math.min(shown.length, Math.ceil((top + diagram.clientHeight) / height) + margin)
    const wanted = new Set(shown.slice(first, last))
    for (const [row, { node }] of drawn) {
      if (wanted.has(row) || (node === document.activeElement && shown.includes(row))) continue
      node.remove()
      drawn.delete(row)
    }
    let next = null
    for (let position = last - 1; position >= first; position--) {
      next = place(shown[position], position, next)
    }
  }

  function describe() {
    const names = layout.names.map(partName).join(', ')
    diagram.setAttribute('aria-label', say(words.diagram, { count: shown.length, parts: names }))
  }

  function focusOn(row) {
    if (!drawn.has(row)) place(row, shown.indexOf(row), null)
    drawn.get(row).node.focus({ preventScroll: true })
  }

  const isAtEnd = () => diagram.scrollTop + diagram.clientHeight >= diagram.scrollHeight - 24

  function offerNewest() {
    jump.textContent = words.newest
    if (shown.length === 0 || follows || isAtEnd()) jump.remove()
    else if (!jump.isConnected) target.append(jump)
  }

  function goToEnd() {
    follows = true
    diagram.scrollTop = diagram.scrollHeight
    draw()
    offerNewest()
  }

  /** The first row in view, and how much of it is above; undefined while the newest is in view. */
  function findPlace() {
    const height = unit() * zoom
    const position = Math.floor(diagram.scrollTop / height)
    const row = shown[position]
    return follows || row === undefined
      ? undefined
      : { row, above: diagram.scrollTop - position * height }
  }

  function refresh({ isNew = true, place: held } = {}) {
    const focused = [...drawn].find(([, { node }]) => node === document.activeElement)?.[0]
    diagram.hidden = shown.length === 0
    if (isNew) arrange()
    resize()
    describe()
    if (follows) diagram.scrollTop = diagram.scrollHeight
    else if (held) diagram.scrollTop = shown.indexOf(held.row) * unit() * zoom + held.above
    draw()
    offerNewest()
    // Rows that are drawn again lose the focus.
    if (focused && shown.includes(focused)) focusOn(focused)
    onChange()
  }

  function filterAll() {
    shown = exchanges.rows.filter(fitsFilter)
    refresh()
  }

  function add(batch) {
    const held = findPlace()
    const added = exchanges.add(batch)
    if (batch.absorbed.length > 0) shown = exchanges.rows.filter(fitsFilter)
    else {
      for (const { row, next } of added) {
        if (!fitsFilter(row)) continue
        const position = next === undefined ? -1 : shown.lastIndexOf(next)
        if (position === -1) shown.push(row)
        else shown.splice(position, 0, row)
      }
    }
    const isOfNewPart = ({ row }) =>
      row.lines.some(({ from, to }) => !(parts.has(from) && parts.has(to)))
    const isNew = layout.names === undefined || (shown.length > 0 && added.some(isOfNewPart))
    refresh({ isNew, place: held })
  }

  function follow() {
    stream?.close()
    exchanges.clear()
    shown = []
    waiting = []
    stream = streamExchanges(chosenText, {
      onStart() {
        // Also sent when the browser has connected again: then everything is sent again.
        exchanges.clear()
        shown = []
        onLost(false)
        filterAll()
      },
      onBatch(batch) {
        if (isPaused) waiting.push(batch)
        else add(batch)
        if (isPaused) onChange()
      },
      onLost,
    })
  }

  function select(id, { focus = false } = {}) {
    selected = exchanges.rowOf(id)
    const position = shown.indexOf(selected)
    if (position === -1) return draw()
    follows = false
    const height = unit() * zoom
    const y = position * height
    const visible = diagram.clientHeight - head.offsetHeight
    if (y < diagram.scrollTop || y + height > diagram.scrollTop + visible) {
      diagram.scrollTop = y - visible / 2
    }
    draw()
    offerNewest()
    if (focus) focusOn(selected)
  }

  const showPlace = () => {
    // A diagram that became smaller, and is drawn again only after this, was not scrolled back.
    follows = isAtEnd() || (follows && diagram.scrollTop >= lastTop)
    offerNewest()
    draw()
  }
  diagram.addEventListener('scroll', () => requestAnimationFrame(showPlace), { passive: true })
  jump.addEventListener('click', () => {
    goToEnd()
    // The button disappears.
    diagram.focus({ preventScroll: true })
  })
  list.addEventListener('click', (event) => {
    const node = event.target.closest('[data-row]')
    if (!node || !onSelect || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onSelect(Number(node.dataset.row))
  })
  diagram.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const node = event.target.closest('[data-row]')
    if (step === undefined || node === null) return
    const position = shown.indexOf(exchanges.rowOf(Number(node.dataset.row))) + step
    if (shown[position] === undefined) return
    event.preventDefault()
    const before = selected
    select(shown[position].id, { focus: true })
    selected = before
    draw()
  })
  let width
  const observer = new ResizeObserver(() => {
    const isNew = width !== diagram.clientWidth
    width = diagram.clientWidth
    refresh({ isNew })
  })
  observer.observe(diagram)
  follow()

  return {
    exchanges,
    get shown() {
      return shown
    },
    /** Exchanges that arrived while it was paused. */
    get waiting() {
      return waiting.reduce((sum, { lines }) => sum + lines.length, 0)
    },
    update({ filter: nextFilter = chosenFilter, text: nextText = chosenText }) {
      chosenFilter = nextFilter
      follows = true
      if (nextText === chosenText) return filterAll()
      chosenText = nextText
      follow()
    },
    select,
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      for (const batch of waiting.splice(0)) add(batch)
    },
    /** All shown rows as one drawing, for a file. */
    drawAll: () => drawRows(shown),
    close() {
      observer.disconnect()
      stream.close()
      target.replaceChildren()
    },
  }
}

// Live exchanges: the filter and its address, the journeys, the selected exchange, and the files.
import { mountDiagram } from './exchange-diagram.js'
import { call, clockTime, fill, pageData } from './kit.js'
import { showMessages } from './report/show-exchange.js'

const { texts } = pageData()
const byId = (id) => document.getElementById(id)
const form = byId('filter')
const names = ['journey', 'part', 'status', 'text']
const address = () => new URLSearchParams(location.search)

/** Keeps the filter and the selected exchange in the address, which is the link to this view. */
function writeAddress(changes) {
  const search = address()
  for (const [name, value] of Object.entries(changes)) {
    if (value) search.set(name, value)
    else search.delete(name)
  }
  const query = search.toString()
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`)
}

const say = (text, lang = document.documentElement.lang) => {
  byId('message').textContent = text
  byId('message').lang = lang
}

let cleared = 0
let selected

function filterOf() {
  const { journey, part, status } = Object.fromEntries(new FormData(form))
  const id = Number(journey)
  return {
    part,
    status,
    after: cleared,
    ...(id > 0 && { journey: diagram?.exchanges.journeyOf(id)?.id ?? id }),
    ...(journey === '' && { matches: (_, found) => found?.kind !== 'seeding' }),
  }
}

const signs = { done: '✓ ', rejected: '✗ ', open: '' }

/** The journeys, newest first, below the fixed choices. */
function listJourneys() {
  const field = form.elements.journey
  const chosen = field.value || address().get('journey') || ''
  const journeys = [...diagram.exchanges.journeys.values()]
    .filter(({ kind }) => kind !== 'request' && kind !== 'seeding')
    .sort((one, other) => other.id - one.id)
  const current = diagram.exchanges.journeyOf(Number(chosen))
  if (current && !journeys.includes(current)) journeys.push(current)
  const wanted = journeys.map(({ id, name, outcome, count, at }) => {
    return [String(id), `${signs[outcome]}${name} · ${clockTime(at)} · ${count}`]
  })
  while (field.options.length > wanted.length + 2) field.remove(field.options.length - 1)
  for (const [index, [value, label]] of wanted.entries()) {
    const known = field.options[index + 2]
    if (known === undefined) field.add(new Option(label, value))
    else if (known.value !== value || known.label !== label) {
      known.value = value
      known.label = label
    }
  }
  field.value = current ? String(current.id) : chosen
}

function showState() {
  listJourneys()
  const countOf = (rows) => rows.reduce((sum, { lines }) => sum + lines.length, 0)
  const total = countOf(diagram.exchanges.rows)
  byId('count').textContent = diagram.waiting
    ? fill(texts.waiting, { count: diagram.waiting })
    : fill(texts.shown, { count: countOf(diagram.shown), total })
  if (diagram.shown.length > 0) say('')
  else if (names.some((name) => form.elements[name].value !== '')) say(texts.noMatch)
  else say(cleared === 0 ? texts.nothing : texts.cleared)
}

async function select(id, { focus = true } = {}) {
  selected = diagram.exchanges.rowOf(id)?.id ?? id
  writeAddress({ exchange: selected })
  const content = byId('exchange-content')
  const row = diagram.exchanges.rowOf(id)
  try {
    const { hop, values } = await call('GET', `/console/exchanges/${row?.lines.at(-1).id ?? id}`)
    content.replaceChildren(
      ...showMessages(hop, (number) => values[number])
        .flat(3)
        .filter(Boolean),
    )
  } catch ({ status, message, lang }) {
    const said = document.createElement('p')
    said.textContent = status === 404 ? texts.gone : message
    if (status !== 404 && lang) said.lang = lang
    content.replaceChildren(said)
  }
  const count = row?.lines.length ?? 1
  byId('exchange-title').textContent = fill(texts.exchange, {
    number: diagram.shown.indexOf(row) + 1 || id,
  })
  if (count > 1) {
    const note = document.createElement('p')
    note.className = 'soft'
    note.textContent = fill(texts.repeated, { count })
    content.prepend(note)
  }
  byId('exchange').hidden = false
  if (focus) byId('exchange-title').focus()
  diagram.select(selected)
}

function close() {
  byId('exchange').hidden = true
  const last = selected
  selected = undefined
  writeAddress({ exchange: undefined })
  diagram.select(last, { focus: true })
  diagram.select(undefined)
}

function step(by) {
  const position = diagram.shown.findIndex(({ id }) => id === selected) + by
  const row = diagram.shown[position]
  if (row) select(row.id, { focus: false })
}

function save(name, type, content) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const styled = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
]

/** Writes the style into the drawing, in light colours: other programs do not have that of the page. */
function withOwnStyle(drawing) {
  const place = document.createElement('div')
  place.className = 'exchange-view hidden'
  place.style.colorScheme = 'light'
  place.append(drawing)
  document.body.append(place)
  const nodes = [...drawing.querySelectorAll('*')]
  for (const node of nodes) {
    const style = getComputedStyle(node)
    for (const name of styled) node.setAttribute(name, style.getPropertyValue(name))
  }
  for (const node of nodes) node.removeAttribute('class')
  place.remove()
  return drawing
}

async function exportAs(format) {
  if (format === 'svg') {
    const drawing = withOwnStyle(diagram.drawAll())
    const text = new XMLSerializer().serializeToString(drawing)
    return save('exchanges.svg', 'image/svg+xml', text)
  }
  const ids = diagram.shown.flatMap(({ lines }) => lines.map(({ id }) => id))
  const { content } = await call('POST', '/console/exchanges/files', { format, ids })
  if (format === 'har') return save('exchanges.har', 'application/json', content)
  save('exchanges.mmd', 'text/plain', content)
}

for (const name of names) {
  const value = address().get(name)
  if (value === null) continue
  // Journeys become options when they arrive.
  if (name === 'journey' && value !== 'all') form.elements.journey.add(new Option('…', value))
  form.elements[name].value = value
}

let diagram
let isRestored = false
diagram = mountDiagram(byId('diagram'), {
  filter: filterOf(),
  text: form.elements.text.value,
  onSelect: (id) => select(id),
  onLost: (isLost) => say(isLost ? texts.lost : ''),
  onChange() {
    if (diagram === undefined) return
    showState()
    const wanted = Number(address().get('exchange'))
    if (isRestored || !wanted || !diagram.exchanges.rowOf(wanted)) return
    isRestored = true
    select(wanted, { focus: false })
  },
})

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', () => {
  const chosen = Object.fromEntries(new FormData(form))
  writeAddress(chosen)
  diagram.update({ filter: filterOf(), text: chosen.text })
})
byId('pause').addEventListener('click', ({ currentTarget }) => {
  const isPaused = currentTarget.getAttribute('aria-pressed') !== 'true'
  currentTarget.setAttribute('aria-pressed', String(isPaused))
  currentTarget.textContent = isPaused ? texts.resume : texts.pause
  if (isPaused) diagram.pause()
  else diagram.resume()
  showState()
})
byId('clear').addEventListener('click', ({ currentTarget }) => {
  const last = diagram.exchanges.rows.reduce((most, { id }) => Math.max(most, id), 0)
  cleared = cleared === 0 ? last : 0
  currentTarget.textContent = cleared === 0 ? texts.clear : texts.showAll
  diagram.update({ filter: filterOf() })
})
// The frame copies it.
byId('link').addEventListener('click', ({ currentTarget }) => {
  currentTarget.dataset.copy = location.href
})
byId('close').addEventListener('click', close)
byId('previous').addEventListener('click', () => step(-1))
byId('next').addEventListener('click', () => step(1))
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !byId('exchange').hidden) close()
})
for (const button of document.querySelectorAll('[data-export]')) {
  button.addEventListener('click', () =>
    exportAs(button.dataset.export).catch(({ message, lang }) => say(message, lang)),
  )
}

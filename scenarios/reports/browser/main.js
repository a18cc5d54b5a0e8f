import { showScenario } from './show-scenario.js'

/**
 * The content of the address' fragment: choices of the filter (`verdict=failed&suite=login`), and
 * the element to show (`at=login-fails-closed-ES256K-7`, or only its id, as in links).
 */
function readAddress() {
  const fragment = location.hash.slice(1)
  return new URLSearchParams(
    fragment.includes('=') || fragment === '' ? fragment : `at=${fragment}`,
  )
}

/** Writes choices to the address without a new entry in the history; omits empty ones. */
function writeAddress(changes) {
  const choices = readAddress()
  for (const [name, value] of Object.entries(changes)) {
    if (value) choices.set(name, value)
    else choices.delete(name)
  }
  const fragment = choices.toString()
  history.replaceState(
    null,
    '',
    fragment === '' ? location.pathname + location.search : `#${fragment}`,
  )
}

const form = document.getElementById('filter')
const names = ['verdict', 'suite', 'algorithm', 'level', 'text']

const fitsVerdict = (scenario, verdict) =>
  verdict === '' ||
  scenario.classList.contains(verdict) ||
  (verdict === 'skipped' && scenario.matches('.interrupted, .not-run')) ||
  (verdict === 'changed' && scenario.dataset.change !== undefined)

function apply() {
  const { verdict, text, ...choices } = Object.fromEntries(new FormData(form))
  const words = text.toLowerCase().split(/\s+/)
  const isChosen = [verdict, text, ...Object.values(choices)].some((choice) => choice !== '')
  let shown = 0
  for (const section of document.querySelectorAll('.suite')) {
    let shownHere = 0
    for (const scenario of section.querySelectorAll('.scenario')) {
      const { dataset } = scenario
      const fits =
        fitsVerdict(scenario, verdict) &&
        Object.entries(choices).every(([name, value]) => value === '' || dataset[name] === value) &&
        words.every((word) => dataset.text.includes(word))
      scenario.hidden = !fits
      if (fits) shownHere += 1
    }
    section.hidden = shownHere === 0
    const fold = section.querySelector('.fold')
    if (isChosen && fold !== null) fold.open = true
    shown += shownHere
  }
  const { noun } = form.dataset
  document.getElementById('shown').textContent = shown === 1 ? `1 ${noun}` : `${shown} ${noun}s`
  document.querySelector('.nothing').hidden = shown > 0
}

function restore() {
  const choices = readAddress()
  for (const name of names) {
    const field = form.elements.namedItem(name)
    if (field !== null) field.value = choices.get(name) ?? ''
  }
  apply()
}

/** Filters by verdict, suite, algorithm, level and words, and keeps the choices in the address. */
function startFilter() {
  for (const part of form.querySelectorAll('[hidden]')) part.hidden = false
  form.addEventListener('input', () => {
    apply()
    writeAddress(Object.fromEntries(new FormData(form)))
  })
  form.addEventListener('submit', (event) => event.preventDefault())
  addEventListener('hashchange', restore)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, select, textarea')) return
    event.preventDefault()
    document.getElementById('text').focus()
  })
  restore()
}

/** Opens the scenario or exchange with this id and scrolls to it. */
async function openAt(id) {
  const scenario = [...document.querySelectorAll('.scenario')].find(
    (each) =>
      id === each.id || (id.startsWith(`${each.id}-`) && /^-\d+$/.test(id.slice(each.id.length))),
  )
  if (scenario === undefined) return
  scenario.hidden = false
  scenario.closest('.suite').hidden = false
  for (const fold of scenario.closest('.suite').querySelectorAll('.fold')) fold.open = true
  scenario.open = true
  await showScenario(scenario)
  const target = document.getElementById(id) ?? scenario
  target.open = true
  target.scrollIntoView()
  target.querySelector('summary').focus({ preventScroll: true })
}

function goToAddress() {
  const id = readAddress().get('at')
  if (id !== null) openAt(id)
}

// Toggle events do not bubble.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.matches('.scenario')) showScenario(target)
  },
  true,
)
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#"]')
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const id = link.getAttribute('href').slice(1)
  // Does not change the filter in the address.
  writeAddress({ at: id })
  openAt(id)
})
addEventListener('hashchange', goToAddress)

startFilter()
for (const scenario of document.querySelectorAll('.scenario[open]')) showScenario(scenario)
goToAddress()

import { readAddress, writeAddress } from './address.js'

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

/** Filters by verdict, suite, algorithm, level and words, and keeps the choice in the address. */
export function startFilter() {
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

import { readAddress, writeAddress } from './address.js'
import { startFilter } from './filter.js'
import { showScenario } from './show-scenario.js'

/** Opens what an id names, a scenario or an exchange in it, and goes there. */
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
  // The filter in the address stays as it is.
  writeAddress({ at: id })
  openAt(id)
})
addEventListener('hashchange', goToAddress)

startFilter()
for (const scenario of document.querySelectorAll('.scenario[open]')) showScenario(scenario)
goToAddress()

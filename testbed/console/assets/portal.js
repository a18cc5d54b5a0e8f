// The forms of the portal: checks while typing, and powers as JSON. Sections that a wallet or a
// revocation changes are loaded again.
import { call, followHops, pageData } from './kit.js'
import { render } from './lit-html/lit-html.js'
import { problemView } from './refusal.js'

const { texts } = pageData()

/** The chosen actions by power. */
function chosenPowers(form) {
  const fields = form.querySelector('[data-powers]')
  const powers = JSON.parse(fields.dataset.powers)
  const chosen = [...form.querySelectorAll('[name="power"]:checked')].map(({ value }) => {
    const separator = value.indexOf(':')
    return { index: Number(value.slice(0, separator)), action: value.slice(separator + 1) }
  })
  return powers.flatMap((power, index) => {
    const action = chosen.filter((each) => each.index === index).map((each) => each.action)
    return action.length === 0 ? [] : [{ ...power, action }]
  })
}

/** The problems of a form by field. */
function findProblems(form) {
  const { email, firstName, lastName } = form.elements
  const problemOfName = ({ value }) => (value.trim() === '' ? texts.noName : '')
  return {
    ...(email && {
      email:
        email.value.trim() === '' ? texts.noEmail : email.validity.valid ? '' : texts.invalidEmail,
      firstName: problemOfName(firstName),
      lastName: problemOfName(lastName),
    }),
    power: chosenPowers(form).length === 0 ? texts.noAction : '',
  }
}

function showProblem(form, name, text) {
  const place = form.querySelector(`[data-problem="${name}"]`)
  if (place.textContent !== text) place.textContent = text
  if (name !== 'power') form.elements[name].setAttribute('aria-invalid', String(text !== ''))
}

/** The members of the request; empty fields are omitted. */
function readOrder(form) {
  const members = { power: chosenPowers(form) }
  for (const { name, value } of form.querySelectorAll('input:not([type="checkbox"]), select')) {
    if (value.trim() !== '') members[name] = value.trim()
  }
  return members
}

function showStatus(form, role, content) {
  let place = form.querySelector('.answer')
  if (!place) {
    place = document.createElement('div')
    form.append(place)
  }
  place.className = role === 'alert' ? 'answer alert' : 'answer soft'
  place.setAttribute('role', role)
  render(content, place)
}

for (const form of document.querySelectorAll('form[data-order]')) {
  const check = ({ name, value }) => {
    const problems = findProblems(form)
    const isEmptyAgain = name !== 'power' && value === ''
    if (name in problems) showProblem(form, name, isEmptyAgain ? '' : problems[name])
  }
  form.addEventListener('input', ({ target }) => check(target))
  // What was typed before this module was loaded.
  for (const field of form.querySelectorAll('input:not([type="checkbox"])')) {
    if (field.value !== '') check(field)
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const problems = Object.entries(findProblems(form))
    for (const [name, text] of problems) showProblem(form, name, text)
    const [first] = problems.find(([, text]) => text !== '') ?? []
    if (first !== undefined) {
      form.querySelector(`[name="${first}"]`)?.focus()
      return
    }
    const button = form.querySelector('button')
    button.disabled = true
    showStatus(form, 'status', texts.working)
    try {
      await call('POST', form.dataset.order, readOrder(form))
      form.reset()
      showStatus(form, 'status', '')
      await loadAgain(['order', 'records'])
      document.querySelector('#order').scrollIntoView({ block: 'nearest' })
    } catch (problem) {
      showStatus(form, 'alert', problemView(problem))
    } finally {
      button.disabled = false
    }
  })
}

/** Replaces sections by their current content, unless the reader is about to revoke there. */
async function loadAgain(ids) {
  const response = await fetch(location.href)
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of ids) {
    const before = document.getElementById(id)
    const after = page.getElementById(id)
    if (before && after && !before.querySelector('details[open]')) {
      before.replaceChildren(...document.importNode(after, true).childNodes)
    }
  }
}

const changes = /\/issuance\/(notifications|credential\/revoke|representative|employee)$/
let pending
followHops(Number.MAX_SAFE_INTEGER, ({ to, url }) => {
  if (to !== 'issuer' || !changes.test(url)) return
  clearTimeout(pending)
  pending = setTimeout(() => loadAgain(['order', 'records']), 300)
})

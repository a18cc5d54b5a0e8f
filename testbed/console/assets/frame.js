// What every page of the console does: the menu on phones, buttons that copy, and forms that call
// the control interface.
import { call } from './kit.js'
import { render } from './lit-html/lit-html.js'
import { problemView } from './refusal.js'

const menu = document.getElementById('menu')
const isMenuOpen = () => menu.getAttribute('aria-expanded') === 'true'
menu?.addEventListener('click', () => {
  menu.setAttribute('aria-expanded', String(!isMenuOpen()))
})
menu?.parentElement.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !isMenuOpen()) return
  menu.setAttribute('aria-expanded', 'false')
  menu.focus()
})

/** Copies text, also without the clipboard interface: it needs TLS or this machine, and permission. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-copy]')
  if (!button) return
  // A link is followed once its text is copied: the next page could stop that.
  const next = event.ctrlKey || event.metaKey || event.shiftKey ? undefined : button.href
  if (next) event.preventDefault()
  await copy(button.dataset.copy)
  if (next) return location.assign(next)
  button.focus()
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), 1200)
})

/** The members of a form as JSON: numbers and checkboxes keep their type, empty ones are omitted. */
export function readForm(form) {
  const members = {}
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.type === 'submit') continue
    if (field.type === 'checkbox') members[field.name] = field.checked
    else if (field.type === 'radio' && !field.checked) continue
    else if (field.value === '') continue
    else if (field.type === 'number') members[field.name] = field.valueAsNumber
    else members[field.name] = field.value
  }
  return members
}

function showProblem(form, problem) {
  let alert = form.querySelector('[role="alert"]')
  if (!alert) {
    alert = document.createElement('div')
    alert.className = 'alert'
    alert.setAttribute('role', 'alert')
    form.append(alert)
  }
  render(problemView(problem), alert)
}

// After a form has loaded its page again, its button keeps the focus.
const used = sessionStorage.getItem('used-form')
sessionStorage.removeItem('used-form')
if (used) document.getElementById(used)?.querySelector('button')?.focus({ preventScroll: true })

/**
 * `<form data-call="POST /control/…">` sends its members as JSON. Then it opens the answer's
 * `location` or `data-next`, or loads the page again; an error is shown in the form. The text of
 * `data-confirm` is asked first.
 */
document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.dataset.call) return
  event.preventDefault()
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return
  const [method, path] = form.dataset.call.split(' ')
  const buttons = form.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  try {
    const members = readForm(form)
    const { submitter } = event
    if (submitter?.name) members[submitter.name] = submitter.value
    const answer = await call(method, path, method === 'DELETE' ? undefined : members)
    const next = answer?.location ?? form.dataset.next
    if (next) return location.assign(next)
    if (form.id) sessionStorage.setItem('used-form', form.id)
    location.reload()
  } catch (problem) {
    for (const button of buttons) button.disabled = false
    showProblem(form, problem)
  }
})

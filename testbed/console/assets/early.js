// Runs before the page is drawn, unlike modules. A browser would send a form by itself and lose
// its action: until every module of the page has run, this keeps what a person submits or clicks,
// and repeats it then.
const { failed } = document.currentScript.dataset
const kept = new Map()
let isReady = false

/** Whether a module handles the form: the browser sends those with an address itself. */
const needsModule = (form) => !form.hasAttribute('action') && form.method !== 'dialog'

function keep(event, control, repeat) {
  event.preventDefault()
  event.stopImmediatePropagation()
  control.setAttribute('aria-busy', 'true')
  kept.set(control, repeat)
}

function onSubmit(event) {
  const { target: form, submitter } = event
  if (isReady || !needsModule(form)) return
  keep(event, submitter ?? form, () => form.requestSubmit(submitter))
}

function onClick(event) {
  const button = event.target.closest?.('button[type="button"], a[data-copy]')
  if (!isReady && button) keep(event, button, () => button.click())
}

/** A form that no module has handled: its module could not be loaded. */
function refuse(event) {
  const form = event.target
  if (event.defaultPrevented || !needsModule(form)) return
  event.preventDefault()
  const alert = document.createElement('p')
  alert.className = 'alert'
  alert.setAttribute('role', 'alert')
  alert.textContent = failed
  form.querySelector(':scope > .alert')?.remove()
  form.append(alert)
}

addEventListener('submit', onSubmit, { capture: true })
addEventListener('click', onClick, { capture: true })
addEventListener('submit', refuse)

// Browsers report this after the modules have run.
document.addEventListener('DOMContentLoaded', () => {
  isReady = true
  document.documentElement.dataset.ready = ''
  for (const [control, repeat] of kept) {
    control.removeAttribute('aria-busy')
    if (control.isConnected) repeat()
  }
})

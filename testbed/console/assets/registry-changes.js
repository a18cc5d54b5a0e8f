// Forms that change the registries: each sends its members, and shows the receipts below itself.
import { readForm } from './frame.js'
import { call, environment, fill, pageData, shorten } from './kit.js'
import { html, nothing, render } from './lit-html/lit-html.js'

const data = pageData()
const texts = data.changes ?? data.texts
const { copy } = data

const historyOf = (did) => `/registries/${environment()}/identifiers/${encodeURIComponent(did)}`

/** The members of a form; a choice of an accreditation has two of them. */
function membersOf(form) {
  const { accreditation, ...members } = readForm(form)
  if (accreditation === undefined) return members
  const [did, attributeId] = accreditation.split(' ')
  return { did, attribute_id: attributeId }
}

function transaction({ hash, method, block, gasUsed }) {
  return html`<li><code>${method ?? ''}</code> <a href="/registries/${environment()}/transactions/${hash}"><code>${shorten(hash)}</code></a>
<span class="soft">${block === undefined ? '' : fill(texts.block, { block })}, ${fill(texts.gas, { gas: gasUsed ?? '?' })}</span></li>`
}

function privateKeyOf(privateKey) {
  return html`<div class="warning"><p><strong>${texts.privateKey}</strong> ${texts.privateKeyAbout}</p>
<p><code class="anywhere private-key">${privateKey}</code><button type="button" class="copy" data-copy=${privateKey} aria-label="${copy} ${texts.privateKey}">⧉</button></p></div>`
}

function success({ did, privateKey, transactions }) {
  return html`<div class="done" role="status"><p><strong>${texts.done}</strong></p>
<ul class="list">${transactions.map(transaction)}</ul>
<p><a href=${historyOf(did)}>${texts.did}</a></p></div>
${privateKey ? privateKeyOf(privateKey) : nothing}`
}

/** A revert: the error of the contract by name, with its arguments. */
function revertOf({ name, args }) {
  const members = typeof args === 'object' && args !== null ? Object.entries(args) : []
  return html`<p>${texts.reverted} <strong class="anywhere">${name}</strong></p>
<dl>${members.map(([member, value]) => html`<dt>${member}</dt><dd><code title=${String(value)}>${shorten(String(value), 20, 6)}</code></dd>`)}</dl>`
}

function failure({ message, detail }) {
  const { hash, revert } = detail ?? {}
  return html`<div class="alert" role="alert">${revert ? revertOf(revert) : html`<p lang="en">${message}</p>`}
${typeof hash === 'string' ? html`<p><a href="/registries/${environment()}/transactions/${hash}"><code>${shorten(hash)}</code></a></p>` : nothing}</div>`
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.dataset.write) return
  event.preventDefault()
  const place = form.nextElementSibling
  const button = form.querySelector('button')
  button.disabled = true
  render(html`<p role="status">${texts.working}</p>`, place)
  try {
    const path = `/console/registries/${environment()}/${form.dataset.write}`
    render(success(await call('POST', path, membersOf(form))), place)
  } catch (problem) {
    render(failure(problem), place)
  }
  button.disabled = false
})

// Forms that change the registries: each sends its members, and shows the receipts below itself.
import { readForm } from './frame.js'
import { call, environment, fill, pageData, shorten } from './kit.js'
import { html, nothing, render } from './lit-html/lit-html.js'
import { problemView, ruleView } from './refusal.js'

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

/** A revert: the condition of the contract, and its error with the arguments. */
const revertOf = (unmet) => html`<p>${texts.reverted}</p>${ruleView(unmet)}`

function failure(problem) {
  const { hash, unmet } = problem.detail ?? {}
  return html`<div class="alert" role="alert">${unmet ? revertOf(unmet) : problemView(problem)}
${typeof hash === 'string' ? html`<p><a href="/registries/${environment()}/transactions/${hash}"><code>${shorten(hash)}</code></a></p>` : nothing}</div>`
}

const miningPath = `/control/${environment()}/mining`
const automaticMining = 1500

/** Offers to release mining if it is held, as long as the transaction waits for a block. */
async function offerRelease(place, isWaiting) {
  const { mode } = await call('GET', miningPath).catch(() => ({}))
  if (mode !== 'manual' || !isWaiting()) return
  const release = ({ currentTarget }) => {
    currentTarget.disabled = true
    call('PUT', miningPath, { mode: 'auto' }).catch((problem) => render(failure(problem), place))
  }
  render(
    html`<div class="warning" role="status"><p>${texts.held}</p>
<p class="actions"><button type="button" class="button small primary release" @click=${release}>${texts.release}</button></p></div>`,
    place,
  )
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.dataset.write) return
  event.preventDefault()
  const place = form.nextElementSibling
  const button = form.querySelector('button')
  button.disabled = true
  render(html`<p role="status">${texts.working}</p>`, place)
  let isWaiting = true
  const offer = setTimeout(() => offerRelease(place, () => isWaiting), automaticMining)
  try {
    const path = `/console/registries/${environment()}/${form.dataset.write}`
    const change = await call('POST', path, membersOf(form))
    isWaiting = false
    render(success(change), place)
  } catch (problem) {
    isWaiting = false
    render(failure(problem), place)
  }
  clearTimeout(offer)
  button.disabled = false
})

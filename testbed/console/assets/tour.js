// The tour: does its steps by button or arrow key, and draws each with lit-html.
import { mountDiagram } from './exchange-diagram.js'
import { call, environment, fill, pageData } from './kit.js'
import { html, nothing, render, svg } from './lit-html/lit-html.js'
import { namedDid, shownValue } from './names.js'
import { problemView, ruleView } from './refusal.js'
import { claimRows, credentialCard, stepList } from './wallet-parts.js'

const data = pageData()
const { tour: texts, steps, person, organization } = data
const names = { person, organization }
const key = `tour-${environment()}`
const state = { tour: undefined, at: 0, busy: false, problem: undefined, statuses: {}, said: '' }

const stepAt = (index) => steps[index]
const isDone = (index) => state.tour?.done.includes(stepAt(index)) ?? false
/** The panel after the last step has its number. */
const isEnd = () => state.at === steps.length

async function readStatuses() {
  const { wallet } = state.tour ?? {}
  if (!wallet || wallet.credentials.length === 0) return
  const { statuses } = await call('GET', `/console/wallets/${wallet.id}/statuses`)
  state.statuses = statuses
}

async function perform() {
  const step = stepAt(state.at)
  state.busy = true
  state.problem = undefined
  state.said = texts.working
  draw()
  try {
    if (state.tour === undefined) {
      state.tour = await call('POST', '/console/tours', { env: environment() })
      sessionStorage.setItem(key, state.tour.id)
    }
    state.tour = await call('POST', `/console/tours/${state.tour.id}/steps/${step}`, {})
    await readStatuses()
    state.said = fill(texts.isDone, {
      number: state.at + 1,
      title: fill(texts.steps[step].title, names),
    })
  } catch (problem) {
    state.problem = problem
    state.said = ''
  }
  state.busy = false
  draw()
}

function move(by) {
  const next = state.at + by
  if (next < 0 || next > steps.length) return
  state.at = next
  state.problem = undefined
  state.said = ''
  draw()
  document.querySelector('.tour-forward')?.focus()
}

/** Does the step that is shown; if it is done, shows the next one. */
function forward() {
  if (state.busy || isEnd()) return
  if (isDone(state.at)) move(1)
  else perform()
}

/** The second click of a double click would skip the explanation of a step that was quick. */
const clickForward = ({ detail }) => detail < 2 && forward()

async function restart() {
  const { id } = state.tour ?? {}
  sessionStorage.removeItem(key)
  Object.assign(state, { tour: undefined, at: 0, problem: undefined, statuses: {}, said: '' })
  draw()
  document.querySelector('.tour-forward')?.focus()
  if (id) await call('DELETE', `/console/tours/${id}`).catch(() => {})
}

document.addEventListener('keydown', (event) => {
  if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (event.target.closest?.('input, select, textarea, .scrollable, pre')) return
  if (event.key === 'ArrowRight') forward()
  else if (event.key === 'ArrowLeft' && !state.busy) move(-1)
  else return
  event.preventDefault()
})

function progress() {
  return html`<ol class="tour-progress" aria-label=${texts.progress}>${steps.map((step, index) => {
    const current = index === state.at
    const mark = isDone(index) ? texts.done : texts.open
    return html`<li class="${isDone(index) ? 'done-step' : ''} ${current ? 'current' : ''}" aria-current=${current ? 'step' : nothing}>
<span class="tour-number">${isDone(index) ? '✓' : index + 1}</span><span class="name">${fill(texts.steps[step].title, names)}</span><span class="hidden">(${mark})</span></li>`
  })}</ol>`
}

const qrCode = ({ qrPng, link }, name) => html`<figure class="tour-qr">
<img src="data:image/png;base64,${qrPng}" alt=${texts.qr[name]} width="260" height="260">
<figcaption>${texts.qr[name]}</figcaption></figure>
<details><summary>${texts.link}</summary><p class="code">${link}</p></details>`

function walletCard() {
  const { wallet } = state.tour ?? {}
  if (!wallet) return nothing
  return html`<div class="tour-wallet"><p class="tour-wallet-name">${wallet.name}</p>
<p class="soft small">${wallet.algorithm}, ${namedDid(wallet.holderDid, data)}</p>
${wallet.credentials.map((credential) =>
  credentialCard(credential, data, { status: state.statuses[credential.id] }),
)}</div>`
}

function loginAnswer({ claims }) {
  return html`<div class="tour-website"><p class="tour-website-bar">${data.relyingParty}</p>
<p class="tour-greeting">${fill(texts.signedIn, names)}</p><p>${organization}</p>
${claims ? nothing : html`<p class="done">${texts.inOtherTab}</p>`}</div>
${
  claims
    ? html`<details><summary>${texts.idToken}</summary><div class="scrollable" tabindex="0" role="region" aria-label=${texts.idToken}><table><tbody>${claimRows(claims, data)}</tbody></table></div></details>`
    : nothing
}`
}

function rejectionBox({ rejection }) {
  if (!rejection) return html`<p class="alert">${texts.loginFailed}</p>`
  const { sessionId, reason, actual, passed, evaluated } = rejection
  const reasons = [reason, ...(actual ? [html`<code>${shownValue(actual, data)}</code>`] : [])]
  return html`<div class="tour-rejection" role="group" aria-label=${texts.loginFailed}><p class="tour-greeting">${texts.loginFailed}</p>
${ruleView({ ...rejection, reasons })}
<p class="soft">${fill(texts.evaluated, { passed, evaluated })}</p>
<p><a href="/sessions/${environment()}/${sessionId}" target="_blank" rel="noopener">${texts.allRules}</a></p></div>`
}

/** Who takes part, before the first step. */
function overview() {
  const { issuer, wallet, verifier } = texts.overview
  const box = (x, y, name) =>
    svg`<rect x=${x} y=${y} width="150" height="56" rx="14" /><text x=${x + 75} y=${y + 34}>${name}</text>`
  return html`<svg class="tour-overview" viewBox="0 0 440 220" role="img" aria-label=${texts.overview.label}>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" /></marker></defs>
${box(5, 20, issuer)}${box(285, 20, verifier)}${box(145, 150, wallet)}
<path class="line" d="M95 80 165 146" marker-end="url(#tip)" /><path class="line" d="M275 146 345 80" marker-end="url(#tip)" />
<text class="label" x="92" y="130">${texts.overview.issues}</text><text class="label" x="352" y="130">${texts.overview.presents}</text></svg>`
}

/** What the audience looks at in a step. */
function stageOf(step) {
  const { offer, accept, login, present, rejected } = state.tour?.results ?? {}
  const before = {
    accept: offer && qrCode(offer, 'offer'),
    present: login && qrCode(login, 'login'),
  }
  if (step === 'wallet' && !isDone(state.at)) return overview()
  if (!isDone(state.at)) return html`${before[step] ?? nothing}${walletCard()}`
  switch (step) {
    case 'offer':
      return qrCode(offer, 'offer')
    case 'login':
      return html`${qrCode(login, 'login')}<p><a class="button small" href=${login.loginUrl} target="_blank" rel="noopener">${texts.openLogin}</a></p>
<p class="soft small">${texts.openLoginHint}</p>`
    case 'present':
      return loginAnswer(present)
    case 'rejected':
      return rejectionBox(rejected)
    default:
      return html`${walletCard()}${accept && step === 'accept' ? html`<details><summary>${texts.walletSteps}</summary>${stepList(accept.activity.steps, data)}</details>` : nothing}`
  }
}

const diagramPlace = document.createElement('div')
let diagram
let drawnIds = ''

/** The exchanges of a step as a sequence diagram, as in the section of the exchanges. */
function exchangeDiagram(step) {
  const ids = (state.tour?.exchanges[step] ?? []).map(({ id }) => id)
  if (ids.length === 0) return nothing
  const filter = { matches: ({ id }) => ids.includes(id) }
  if (diagram === undefined) diagram = mountDiagram(diagramPlace, { filter })
  else if (drawnIds !== ids.join()) diagram.update({ filter })
  drawnIds = ids.join()
  return html`<section class="card"><h2>${texts.exchanges}</h2>${diagramPlace}</section>`
}

function endPanel() {
  const sections = Object.entries(texts.more).flatMap(([name, text]) => {
    const link = document.querySelector(`.side nav a[href^="/${name}"]`)
    return link ? [html`<li><a class="button" href=${link.href}>${text}</a></li>`] : []
  })
  return html`<section class="tour-stage card"><div><h2>${texts.end.title}</h2><p>${texts.end.text}</p>
<ul class="list tour-more">${sections}</ul>
<div class="actions"><button type="button" class="button" @click=${() => move(-1)}>← ${texts.back}</button>
<button type="button" class="button primary tour-forward" id="restart" @click=${restart}>${texts.restart}</button></div></div>
<div>${walletCard()}</div></section>`
}

function stepPanel() {
  const step = stepAt(state.at)
  const { title, before, action, after } = texts.steps[step]
  const done = isDone(state.at)
  return html`<section class="tour-stage card" data-step=${step} data-done=${String(done)}>
<div><p class="soft">${fill(texts.stepOf, { number: state.at + 1, total: steps.length })}</p>
<h2>${fill(title, names)}</h2>
<p class=${done ? 'soft' : 'tour-text'}>${fill(before, names)}</p>
${done ? html`<p class="tour-text ${step === 'rejected' ? 'warning' : 'done'}">${fill(after, names)}</p>` : nothing}
${state.problem ? html`<div class="alert" role="alert"><p>${texts.failed}</p>${problemView(state.problem)}</div>` : nothing}
<div class="actions">
<button type="button" class="button" ?disabled=${state.at === 0 || state.busy} @click=${() => move(-1)}>← ${texts.back}</button>
<button type="button" class="button primary tour-forward" aria-disabled=${String(state.busy)} @click=${clickForward}>${state.busy ? texts.working : html`${done ? texts.next : action} →`}</button>
</div></div>
<div class="tour-view">${stageOf(step)}</div></section>
${done ? exchangeDiagram(step) : nothing}`
}

function draw() {
  render(
    html`<p class="lead">${fill(texts.lead, names)} <span class="tour-keys">${texts.keys}</span></p>
${progress()}
<p role="status" class="hidden">${state.said}</p>
${isEnd() ? endPanel() : stepPanel()}
${state.tour && !isEnd() ? html`<p><button type="button" class="button small quiet" ?disabled=${state.busy} @click=${restart}>${texts.restart}</button></p>` : nothing}`,
    document.getElementById('tour'),
  )
}

/** A page that is loaded again continues the tour. */
async function resume() {
  const id = sessionStorage.getItem(key)
  if (!id) return
  try {
    state.tour = await call('GET', `/console/tours/${id}`)
    state.at = Math.min(state.tour.done.length, steps.length - 1)
    await readStatuses()
    draw()
  } catch {
    sessionStorage.removeItem(key)
  }
}

draw()
resume()

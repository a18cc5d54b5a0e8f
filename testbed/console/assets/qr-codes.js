// Test QR codes: lists them, makes the chosen one, and shows whether a wallet answered a request.
import { call, environment, fill, pageData } from './kit.js'
import { html, nothing, render } from './lit-html/lit-html.js'
import { paragraphRow, problemView } from './refusal.js'

const data = pageData()
const { texts, codes } = data
const groups = Object.keys(texts.groups)
const state = {
  filter: '',
  chosen: undefined,
  made: undefined,
  problem: undefined,
  status: 'PENDING',
}

/** Ends the polling of the code before. */
let polling

async function choose(code) {
  clearInterval(polling)
  Object.assign(state, { chosen: code, made: undefined, problem: undefined, status: 'PENDING' })
  history.replaceState(null, '', `#${code.name}`)
  draw()
  document.getElementById('code').scrollIntoView({ block: 'nearest' })
  try {
    const { group, name } = code
    const made = await call('POST', '/console/test-codes', { env: environment(), group, name })
    if (state.chosen !== code) return
    state.made = made
    if (made.sessionId) polling = setInterval(readAnswer, 3000)
  } catch (problem) {
    state.problem = problem
  }
  draw()
  document.getElementById('code-title')?.focus()
}

async function readAnswer() {
  const { sessionId } = state.made ?? {}
  try {
    const path = `/console/test-codes/${sessionId}?env=${environment()}`
    const { status } = await call('GET', path)
    state.status = status
    if (status !== 'PENDING') clearInterval(polling)
    draw()
  } catch {
    // Tries again.
  }
}

const matches = ({ name, title, about, rule = '' }) => {
  const text = `${name} ${title} ${about} ${rule}`.toLowerCase()
  return state.filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const verdict = ({ rejected }) =>
  html`<span class="badge ${rejected ? 'bad' : 'good'}">${rejected ? texts.reject : texts.accept}</span>`

function groupList(group) {
  const found = codes.filter((code) => code.group === group && matches(code))
  if (found.length === 0) return nothing
  return html`<section><h2>${texts.groups[group]} <span class="soft small">${found.length}</span></h2>
<p class="soft">${texts.aboutGroups[group]}</p>
<ul class="list code-list">${found.map(
    (
      code,
    ) => html`<li><button type="button" class="code-entry" aria-pressed=${code === state.chosen}
data-name=${code.name} @click=${() => choose(code)}><span class="code-entry-title" lang=${code.isEnglish ? 'en' : nothing}>${code.title}</span>${verdict(code)}</button></li>`,
  )}</ul></section>`
}

function answerLine({ rejected }) {
  if (!state.made?.sessionId) return nothing
  const answered = state.status !== 'PENDING'
  const text = answered ? texts.answers[rejected ? 'wrong' : 'posted'] : texts.answers.PENDING
  return html`<p role="status" class=${answered ? (rejected ? 'alert' : 'done') : 'soft'}>${text}</p>`
}

function codePanel() {
  const { chosen, made, problem } = state
  if (!chosen) return html`<p class="soft">${texts.choose}</p>`
  const { group, title, about, isEnglish, rejected, rule, entails, paragraph } = chosen
  const english = isEnglish ? 'en' : nothing
  return html`<h2 id="code-title" tabindex="-1" lang=${english}>${title}</h2>
${problem ? html`<div class="alert" role="alert">${problemView(problem)}</div>` : nothing}
${made || problem ? nothing : html`<p role="status" class="soft">${texts.working}</p>`}
${
  made
    ? html`<img class="code-image" src="data:image/png;base64,${made.qrPng}" alt=${fill(texts.qr, { title })}>
${made.pin ? html`<p class="code-pin">${texts.pin}: <strong>${made.pin}</strong></p>` : nothing}
${answerLine(chosen)}`
    : nothing
}
<dl><dt>${texts.problem}</dt><dd lang=${english}>${about}</dd>
<dt>${texts.behaviour}</dt><dd>${verdict(chosen)} ${(rejected ? texts.rejects : texts.accepts)[group]}</dd>
${rule ? html`<dt>${texts.rule}</dt><dd><code>${rule}</code></dd>` : nothing}
${paragraphRow(paragraph)}</dl>
${entails.length > 0 ? html`<p class="soft small">${fill(texts.entails, { rules: entails.join(', ') })}</p>` : nothing}
${
  made
    ? html`<div class="actions"><button type="button" class="button small" data-copy=${made.link}>${texts.copy}</button>
<a class="button small" href=${made.link}>${texts.openHere}</a>
<a class="button small" id="in-wallet" href="/wallets?env=${environment()}&link=${encodeURIComponent(made.link)}">${texts.inWallet}</a>
<button type="button" class="button small" @click=${() => choose(chosen)}>${texts.again}</button></div>
<p class="soft small">${texts.once}</p>
<details><summary>${texts.link}</summary><p class="code">${made.link}</p></details>`
    : nothing
}`
}

const setFilter = ({ target }) => {
  state.filter = target.value
  draw()
}

function draw() {
  const lists = groups.map(groupList)
  render(
    html`<div class="code-columns"><div><label for="filter">${texts.filter}</label><input id="filter" type="search" autocomplete="off" @input=${setFilter}>
${lists}${lists.every((list) => list === nothing) ? html`<p role="status">${texts.none}</p>` : nothing}</div>
<aside class="card code-panel" id="code" aria-label=${texts.qr.split(':')[0]}>${codePanel()}</aside></div>`,
    document.getElementById('qr-codes'),
  )
}

draw()
const linked = codes.find(({ name }) => name === location.hash.slice(1))
if (linked) choose(linked)

// The keys of a DID at a time: a slider through the moments at which something changes. Every
// document is the answer of the DID registry to valid-at.
import { call, environment, fill, pageData } from './kit.js'
import { html, nothing, render } from './lit-html/lit-html.js'
import { namedDid, shortened } from './names.js'
import { problemView } from './refusal.js'

const data = pageData()
const { did, stops, keys, texts } = data
const place = document.getElementById('validity')
const relationships = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
]
const state = {
  time: stops.find(({ kind }) => kind === 'now').time,
  answer: undefined,
  problem: undefined,
}
/** Every key that the DID has had, by its id, so that rows keep their place. */
const known = new Map(keys.map((key) => [`${did}#${key}`, { id: `${did}#${key}` }]))
let asked = 0

const shownTime = (time) =>
  new Date(time * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
const indexOf = (time) => stops.findLastIndex((stop) => stop.time <= time)

function labelOf(time) {
  const stop = stops.find((each) => each.time === time)
  return stop ? `${shownTime(time)}, ${texts.stops[stop.kind]}` : shownTime(time)
}

async function choose(time) {
  state.time = time
  draw()
  asked += 1
  const mine = asked
  const path = `/console/registries/${environment()}/identifiers/${encodeURIComponent(did)}`
  try {
    const answer = await call('GET', `${path}?valid_at=${time}`)
    if (mine !== asked) return
    state.answer = answer
    state.problem = undefined
    for (const method of answer.document?.verificationMethod ?? []) known.set(method.id, method)
  } catch (problem) {
    if (mine !== asked) return
    state.answer = undefined
    state.problem = problem
  }
  draw()
}

const chooseExact = ({ target }) => {
  const milliseconds = Date.parse(`${target.value}Z`)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) choose(Math.floor(milliseconds / 1000))
}

function keyRow(document, { id, publicKeyJwk = {} }) {
  const isValid = document.verificationMethod.some((method) => method.id === id)
  const uses = relationships.filter((name) => document[name]?.includes(id))
  const fragment = id.slice(id.indexOf('#') + 1)
  return html`<tr data-key=${fragment}>
<td>${shortened(fragment, data)}</td>
<td>${publicKeyJwk.crv ?? publicKeyJwk.kty ?? ''}</td>
<td><span class="badge ${isValid ? 'good' : 'bad'}">${isValid ? texts.valid : texts.invalid}</span></td>
<td class="uses">${uses.map((name) => html`<code>${name}</code> `)}</td>
</tr>`
}

function documentView({ document, request }) {
  if (document === null) return html`<p class="warning">${texts.absent}</p>`
  return html`<dl><dt>${texts.controllers}</dt><dd>${document.controller.map((each) => namedDid(each, data))}</dd></dl>
${
  known.size === 0
    ? html`<p class="soft">${texts.noKeys}</p>`
    : html`<div class="scrollable" role="region" aria-label=${texts.keys} tabindex="0"><table class="keys">
<thead><tr><th>${texts.key}</th><th>${texts.curve}</th><th>${texts.state}</th><th>${texts.uses}</th></tr></thead>
<tbody>${[...known.values()].map((method) => keyRow(document, method))}</tbody></table></div>`
}
<details><summary>${texts.document}</summary>
<p class="soft small">${fill(texts.request, { request })}</p>
<pre tabindex="0">${JSON.stringify(document, undefined, 2)}</pre></details>`
}

function draw() {
  const { time, answer, problem } = state
  render(
    html`<div class="moment">
<label for="moment">${texts.time}</label>
<input id="moment" type="range" min="0" max=${stops.length - 1} step="1" .value=${String(Math.max(0, indexOf(time)))}
 aria-valuetext=${labelOf(time)} @input=${({ target }) => choose(stops[target.valueAsNumber].time)}>
<p class="row apart"><output for="moment" role="status">${labelOf(time)}</output>
<label class="exact">${texts.exactTime} <input type="datetime-local" step="1" .value=${new Date(time * 1000).toISOString().slice(0, 19)} @change=${chooseExact}></label></p>
</div>
${problem ? html`<div class="alert" role="alert">${problemView(problem)}</div>` : nothing}
${answer ? documentView(answer) : nothing}`,
    place,
  )
}

choose(state.time)

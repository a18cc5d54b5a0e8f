// Explain: takes a pasted or dropped message, and shows the verdict of each rule.

import { loadDiagramStyle } from './exchange-diagram.js'
import { readForm } from './frame.js'
import { call, fill, pageData } from './kit.js'
import { html, nothing, render } from './lit-html/lit-html.js'
import { shownValue } from './names.js'
import { ruleView } from './refusal.js'
import { showJson } from './report/show-exchange.js'

const data = pageData()
const { texts, meanings } = data
const byId = (id) => document.getElementById(id)
const form = byId('explain')
loadDiagramStyle()

const verdicts = {
  held: { badge: 'good', word: texts.held },
  broken: { badge: 'bad', word: texts.brokenRule },
  'not-checked': { badge: 'wait', word: texts.unchecked },
}

const shownResult = (value) =>
  typeof value === 'string' ? shownValue(value, data) : JSON.stringify(value)

function ruleItem({ rule, statement, path, verdict, findings, notes, advice, paragraph }) {
  const { badge, word } = verdicts[verdict]
  return html`<li class=${verdict === 'broken' ? 'broken' : 'unchecked'}>
<div class="row"><span class="badge ${badge}">${word}</span>${path ? html`<code class="soft">${path}</code>` : nothing}</div>
${ruleView({
  rule,
  statement,
  reasons: findings.flatMap(({ path: place, reason, got }) => [
    place ? `${place}: ${reason}` : reason,
    ...(got === undefined ? [] : [html`<code>${shownResult(got)}</code>`]),
  ]),
  fix: verdict === 'broken' ? advice : undefined,
  paragraph,
})}
${notes.map((note) => html`<p><b>${texts.note}</b> <span lang="en">${note}</span></p>`)}
${advice && verdict !== 'broken' ? html`<p><b>${texts.provide}</b> <span lang="en">${advice}</span></p>` : nothing}
</li>`
}

function ruleSection(rules, verdict, title, isOpen) {
  const these = rules.filter((rule) => rule.verdict === verdict)
  if (these.length === 0) return nothing
  const list = html`<ul class="rule-list">${these.map(ruleItem)}</ul>`
  const heading = fill(title, { count: these.length })
  return isOpen
    ? html`<h3>${heading}</h3>${list}`
    : html`<details><summary>${heading}</summary>${list}</details>`
}

const isObject = (value) => value !== null && typeof value === 'object'

/** Header and payload of a token with their claims explained; other messages unchanged. */
function decoded(content) {
  if (content === undefined || content === null) return nothing
  const isToken = isObject(content) && isObject(content.payload)
  const blocks = isToken
    ? Object.entries(content).map(([name, value]) => [texts[name] ?? name, value])
    : [[texts.content, content]]
  return html`<details open><summary>${texts.content}</summary><div class="exchange-view">${blocks.map(
    ([name, value]) => html`<p class="part">${name}</p>${showJson(value, name, meanings)}`,
  )}</div></details>`
}

function dialectOf({ dialect }) {
  if (!dialect || dialect.departures.length === 0) return nothing
  return html`<h3>${texts.dialect}</h3><ul lang="en">${dialect.departures.map(
    ({ path, found, follows, documents, clause }) =>
      html`<li><code>${path}</code> (${found}): ${follows}. ${fill(texts.profile, { documents, clause })}</li>`,
  )}</ul>`
}

const tones = { holds: 'done', broken: 'alert', 'not-checked': 'warning', unrecognised: 'alert' }

/** The verdict as text, with the number of broken rules of the message itself. */
function verdictText({ verdict, rules }) {
  const count = rules.filter((rule) => rule.verdict === 'broken').length
  return count === 0 ? texts[verdict] : fill(texts.brokenCount, { count, total: rules.length })
}

function explanationView(explanation, { level = 2 } = {}) {
  const { title, verdict, recognisedBy, facts, rules, notes, content, parts, lookedFor } =
    explanation
  const heading = title.charAt(0).toUpperCase() + title.slice(1)
  if (verdict === 'unrecognised') {
    return html`<article class="card"><p class="verdict alert">${texts.unrecognised}</p><p>${texts.tried}</p>
<dl lang="en">${lookedFor.map(({ kind, reason }) => html`<dt>${kind}</dt><dd>${reason}</dd>`)}</dl></article>`
  }
  return html`<article class="card explained" data-verdict=${verdict}>
${level === 2 ? html`<h2 lang="en">${heading}</h2>` : html`<h3 lang="en">${heading}</h3>`}
<p class="verdict ${tones[verdict]}">${verdictText(explanation)}</p>
<p class="soft">${texts.recognised.split('{by}')[0]}<span lang="en">${recognisedBy}</span>.</p>
${facts.length === 0 ? nothing : html`<dl lang="en">${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${shownResult(value)}</dd>`)}</dl>`}
${notes.map((note) => html`<p lang="en">${note}</p>`)}
${ruleSection(rules, 'broken', texts.brokenRules, true)}
${ruleSection(rules, 'not-checked', texts.uncheckedRules, true)}
${ruleSection(rules, 'held', texts.heldRules, false)}
${dialectOf(explanation)}
${decoded(content)}
${parts.map((part) => explanationView(part, { level: 3 }))}
</article>`
}

const say = (text, tone = '', lang = document.documentElement.lang) => {
  byId('state').textContent = text
  byId('state').lang = lang
  byId('state').className = tone
}

async function explain(message) {
  say(texts.working)
  try {
    const { evaluatedAt, read, explanation } = await call('POST', '/console/explanations', {
      ...readForm(form),
      ...message,
    })
    const time = new Date(evaluatedAt * 1000).toISOString().slice(0, 19).replace('T', ' ')
    const shown = html`${read === undefined ? nothing : html`<h2>${texts.readFromImage}</h2><pre class="read" tabindex="0">${read}</pre>`}
${explanationView(explanation)}`
    render(shown, byId('result'))
    say(`${texts[explanation.verdict]} ${fill(texts.evaluatedAt, { time })}`, 'soft')
    byId('result').focus()
  } catch (problem) {
    render(nothing, byId('result'))
    say(problem.message, 'alert', problem.lang)
  }
}

const isImage = ({ type }) => /^image\//.test(type)

async function explainFile(file) {
  if (!isImage(file)) {
    byId('message').value = await file.text()
    return explain({ text: byId('message').value })
  }
  byId('message').value = ''
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  await explain({ image: btoa(binary) })
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  explain({ text: byId('message').value })
})
/** An offer with the most frequent mistake: the member of the final specification. */
const example = {
  credential_issuer: 'https://issuer.example',
  credential_configuration_ids: ['OrgPortalLearCredential'],
  grants: {
    'urn:ietf:params:oauth:grant-type:pre-authorized_code': {
      'pre-authorized_code': 'SplxlOBeZQQYbYS6WxSbIA',
    },
  },
}
byId('example').addEventListener('click', () => {
  byId('message').value = JSON.stringify(example, undefined, 2)
  form.requestSubmit()
})
byId('choose').addEventListener('click', () => byId('file').click())
byId('file').addEventListener('change', ({ currentTarget }) => {
  const [file] = currentTarget.files
  if (file) explainFile(file)
  currentTarget.value = ''
})
addEventListener('paste', (event) => {
  const file = [...event.clipboardData.files].find(isImage)
  if (!file) return
  event.preventDefault()
  explainFile(file)
})
addEventListener('dragover', (event) => {
  event.preventDefault()
  form.classList.add('dropping')
})
addEventListener('dragleave', () => form.classList.remove('dropping'))
addEventListener('drop', (event) => {
  event.preventDefault()
  form.classList.remove('dropping')
  const [file] = event.dataTransfer.files
  const text = event.dataTransfer.getData('text')
  if (file) explainFile(file)
  else if (text) {
    byId('message').value = text
    explain({ text })
  }
})

// A link from another page: the message is in the fragment, which browsers do not send.
const given = new URLSearchParams(location.hash.slice(1)).get('message')
if (given) {
  byId('message').value = given
  explain({ text: given })
}

// A run: progress, results as they arrive, and questions to the person who watches.
import { call, fill, isLost, pageData } from './kit.js'
import { html, render } from './lit-html/lit-html.js'
import { attach, createDraft, replyOf, startDraft, taskCard, waitingCard } from './person-task.js'
import { problemView, ruleView } from './refusal.js'

const tones = { passed: 'good', failed: 'bad', warned: 'wait' }
const signs = { expected: '−', found: '+', both: ' ' }

const differenceLines = (lines, texts) =>
  html`<pre class="difference" tabindex="0" role="group" aria-label=${texts.difference} lang="en">${lines.map(
    ({ kind, text }) => html`<span class=${kind}>${signs[kind]} ${text}\n</span>`,
  )}</pre>`

const rule = ({ name, text, ...rest }) =>
  html`<li>${ruleView({ rule: name, statement: text, ...rest })}</li>`

/** Expected, found, rules and their paragraphs of a result that did not pass. */
const details = ({ id: name, reason, detail }, { texts, reportPath }) => html`<details>
  <summary>${texts.details}<span class="hidden">: ${name}</span></summary>
  <dl>
    ${detail.step ? html`<dt>${texts.failedStep}</dt><dd lang="en">${detail.step}</dd>` : ''}
    <dt>${texts.expected}</dt><dd lang="en">${detail.expected}</dd>
    <dt>${texts.found}</dt><dd lang="en">${reason}</dd>
  </dl>
  ${detail.difference.length > 0 ? differenceLines(detail.difference, texts) : ''}
  ${
    detail.rules.length > 0
      ? html`<h3>${texts.rules}</h3><ul class="list rules">${detail.rules.map(rule)}</ul>`
      : ''
  }
  ${
    detail.clauses.length > 0
      ? html`<h3>${texts.clauses}</h3><ul>${detail.clauses.map((each) => html`<li lang="en">${each}</li>`)}</ul>`
      : ''
  }
  ${
    reportPath
      ? html`<p><a href="${reportPath}#${detail.anchor}" target="_blank" rel="noopener">${texts.inReport}</a></p>`
      : ''
  }
</details>`

/** A result with its reason, what to change, and the details. */
function resultItem(event, parts) {
  const { texts } = parts
  const { id: name, title, verdict, reason, fix, detail } = event
  return html`<li>
  <p class="row"><span class="badge ${tones[verdict] ?? 'wait'}">${texts.verdicts[verdict]}</span>
    <code>${name}</code> <span lang="en">${title}</span></p>
  ${reason && verdict !== 'passed' ? html`<p class="reason" lang="en">${reason}</p>` : ''}
  ${fix ? html`<p class="reason"><b>${texts.fix}:</b> <span lang="en">${fix}</span></p>` : ''}
  ${detail ? details(event, parts) : ''}
</li>`
}

const { id, state, events, last, texts, reportPath } = pageData()
const parts = { texts, reportPath }
const place = document.getElementById('run')
const path = `/console/runs/${id}`

const view = {
  isRunning: state === 'running',
  isStopping: false,
  isLost: false,
  isOpenOnly: false,
  total: undefined,
  /** Newest first. */
  results: [],
  underWay: new Map(),
  /** The event of the open question. */
  question: undefined,
  /** A person has been asked, and has answered on this page. */
  isAsked: false,
  isAnswered: false,
  draft: createDraft(),
  person: undefined,
  problem: undefined,
}

/** The address of the page with the tasks: the last one in what the run says. */
function addressIn(text) {
  const address = text.match(/https?:\/\/\S+/g)?.at(-1)
  return address !== undefined && URL.canParse(address) ? address : undefined
}

function apply(event) {
  if (event.kind === 'total') view.total = event.total
  if (event.kind === 'began') view.underWay.set(event.id, '')
  if (event.kind === 'step') view.underWay.set(event.id, event.title)
  if (event.kind === 'ended') {
    view.underWay.delete(event.id)
    view.results.unshift(event)
  }
  if (event.kind === 'said') view.person = { text: event.text, address: addressIn(event.text) }
  if (event.kind === 'question') {
    view.isAsked = true
    view.question = event.question === null ? undefined : event
    startDraft(view.draft, event.question === null ? undefined : event.id)
  }
}

async function attempt(work) {
  view.problem = undefined
  try {
    await work()
  } catch (problem) {
    view.problem = problem
  }
  show()
}

const stop = () =>
  attempt(async () => {
    view.isStopping = true
    show()
    await call('POST', `${path}/stop`)
  })

const answer = (did) =>
  attempt(async () => {
    view.draft.isSending = true
    show()
    const reply = replyOf(view.draft, did)
    try {
      await call('POST', `${path}/answers`, { question: view.draft.question, reply })
      view.isAnswered = true
    } finally {
      view.draft.isSending = false
    }
  })

const addFile = (file) => attempt(() => attach(view.draft, file))

const task = () =>
  view.question
    ? taskCard(view.question, view.draft, {
        texts,
        onAnswer: answer,
        onFile: addFile,
        onChange: show,
      })
    : waitingCard(texts)

const person = () => html`<section class="card" aria-labelledby="person">
  <h2 id="person">${texts.personTitle}</h2>
  <p>${texts.personAbout}</p>
  <pre lang="en" tabindex="0" role="group" aria-labelledby="person">${view.person.text}</pre>
  ${
    view.person.address
      ? html`<div class="actions"><a class="button small" href=${view.person.address}
          target="_blank" rel="noopener">${texts.personOpen}</a></div>`
      : ''
  }
</section>`

const progress = () => {
  const done = view.results.length
  const isKnown = view.total !== undefined
  const count = isKnown ? fill(texts.count, { done, total: view.total }) : texts.starting
  return html`<section class="card" aria-labelledby="progress">
    <div class="row apart">
      <h2 id="progress">${texts.title}</h2>
      <button type="button" class="button small danger" ?disabled=${view.isStopping} @click=${stop}>
        ${view.isStopping ? texts.stopping : texts.stop}
      </button>
    </div>
    <p class="row"><strong class="count">${count}</strong></p>
    ${
      isKnown
        ? html`<progress aria-labelledby="progress" max=${view.total} value=${done}></progress>`
        : html`<progress aria-labelledby="progress"></progress>`
    }
    ${
      view.underWay.size > 0
        ? html`<h3>${texts.underWay}</h3><ul class="list under-way">${[...view.underWay].map(
            ([name, step]) => html`<li><code>${name}</code> <span lang="en">${step}</span></li>`,
          )}</ul>`
        : ''
    }
  </section>`
}

function choose(isOpenOnly) {
  view.isOpenOnly = isOpenOnly
  show()
}

const filterButton = (isOpenOnly, text) => html`<button type="button" class="button small"
  aria-pressed=${String(view.isOpenOnly === isOpenOnly)} @click=${() => choose(isOpenOnly)}>
  ${text}</button>`

const results = () => {
  const isOpen = ({ verdict }) => verdict !== 'passed'
  const shown = view.isOpenOnly ? view.results.filter(isOpen) : view.results
  const none = view.results.length === 0 ? texts.nothingYet : texts.noneOpen
  return html`<section class="card" aria-labelledby="results">
    <div class="row apart"><h2 id="results">${texts.results}</h2>
      <div class="actions filter" role="group" aria-labelledby="results">
        ${filterButton(false, texts.showAll)} ${filterButton(true, texts.showOpen)}
      </div></div>
    ${
      shown.length === 0
        ? html`<p class="soft">${none}</p>`
        : html`<ol class="list results">${shown.map((each) => resultItem(each, parts))}</ol>`
    }
  </section>`
}

const title = document.title
let focused

/** What a person is asked, for the title of the window and for screen readers. */
function sentence() {
  if (!view.question) return ''
  const { verb, number } = view.question.question
  const step = number === undefined ? '' : `${fill(texts.step, { number })}: `
  return `${step}${texts.tasks[verb].title}`
}

/** After an answer the next task has the focus; the title of the window says that it waits. */
function followTask() {
  const asked = view.isRunning ? sentence() : ''
  document.title = asked === '' ? title : `${asked} · ${title}`
  if (view.question?.id === focused) return
  focused = view.question?.id
  if (view.isAnswered) document.getElementById('task')?.focus()
}

function show() {
  render(
    html`${view.isLost ? html`<p class="warning" role="status">${texts.lost}</p>` : ''}
    ${view.problem ? html`<div class="alert" role="alert">${problemView(view.problem)}</div>` : ''}
    <p class="hidden" role="status">${view.isRunning ? sentence() : ''}</p>
    ${view.isAsked && view.isRunning ? task() : ''}
    ${view.isRunning ? progress() : ''}
    ${view.person && view.isRunning ? person() : ''}
    ${view.isRunning || view.results.length > 0 ? results() : ''}`,
    place,
  )
  followTask()
}

for (const event of events) apply(event)
show()

document.addEventListener('paste', (event) => {
  const [file] = event.clipboardData.files
  if (view.question && file) addFile(file)
})
document.addEventListener('dragover', (event) => view.question && event.preventDefault())
document.addEventListener('drop', (event) => {
  const [file] = event.dataTransfer.files
  if (!view.question || !file) return
  event.preventDefault()
  addFile(file)
})

if (view.isRunning) {
  let isDue = false
  // Results arrive in bursts: they are drawn once in a while.
  const showSoon = () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      show()
    }, 100)
  }
  const stream = new EventSource(`${path}/events?since=${last}`)
  stream.addEventListener('run', ({ data }) => {
    view.isLost = false
    apply(JSON.parse(data))
    showSoon()
  })
  stream.addEventListener('end', () => {
    stream.close()
    location.reload()
  })
  stream.addEventListener('error', () => {
    view.isLost = isLost(stream)
    show()
  })
  stream.addEventListener('open', () => {
    view.isLost = false
    show()
  })
}

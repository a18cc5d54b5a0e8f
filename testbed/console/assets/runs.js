// A run: progress, results as they arrive, and questions to the person who watches.
import { call, fill, pageData } from './kit.js'
import { html, render } from './lit-html/lit-html.js'

const { id, state, events, last, texts } = pageData()
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
  question: undefined,
  person: undefined,
  problem: undefined,
}

const tones = { passed: 'good', failed: 'bad', warned: 'wait' }

/** The address in what the run says, if it is a page of this machine or network. */
function addressIn(text) {
  const [address] = /https?:\/\/\S+/.exec(text) ?? []
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
  if (event.kind === 'question') view.question = event.text === null ? undefined : event
}

async function attempt(work) {
  view.problem = undefined
  try {
    await work()
  } catch (problem) {
    view.problem = problem.message
  }
  show()
}

const stop = () =>
  attempt(async () => {
    view.isStopping = true
    show()
    await call('POST', `${path}/stop`)
  })

const answer = (accepted) => {
  const { id: question } = view.question
  return attempt(() => call('POST', `${path}/answers`, { question, accepted }))
}

const question = () => html`<section class="card ask" aria-labelledby="question">
  <h2 id="question">${texts.questionTitle}</h2>
  <p lang="en">${view.question.text}</p>
  <div class="actions">
    <button type="button" class="button" @click=${() => answer(true)}>${texts.yes}</button>
    <button type="button" class="button" @click=${() => answer(false)}>${texts.no}</button>
    <button type="button" class="button quiet" @click=${() => answer(undefined)}>
      ${texts.unknown}
    </button>
  </div>
</section>`

const person = () => html`<section class="card ask" aria-labelledby="person">
  <h2 id="person">${texts.personTitle}</h2>
  <p>${texts.personAbout}</p>
  ${
    view.person.address
      ? html`<div class="actions"><a class="button primary" href=${view.person.address}
          target="_blank" rel="noopener">${texts.personOpen}</a></div>`
      : ''
  }
  <details><summary lang="en">${view.person.text.split('\n')[0]}</summary>
    <pre lang="en" tabindex="0">${view.person.text}</pre></details>
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

const result = ({ id: name, title, verdict, reason, fix }) => html`<li>
  <p class="row"><span class="badge ${tones[verdict] ?? 'wait'}">${texts.verdicts[verdict]}</span>
    <code>${name}</code> <span lang="en">${title}</span></p>
  ${reason && verdict !== 'passed' ? html`<p class="reason" lang="en">${reason}</p>` : ''}
  ${fix ? html`<p class="reason"><b>${texts.fix}:</b> <span lang="en">${fix}</span></p>` : ''}
</li>`

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
        : html`<ol class="list results">${shown.map(result)}</ol>`
    }
  </section>`
}

function show() {
  render(
    html`${view.isLost ? html`<p class="warning" role="status">${texts.lost}</p>` : ''}
    ${view.problem ? html`<p class="alert" role="alert">${view.problem}</p>` : ''}
    <div role="status">${view.question && view.isRunning ? question() : ''}</div>
    ${view.person && view.isRunning ? person() : ''}
    ${view.isRunning ? progress() : ''}
    ${view.isRunning || view.results.length > 0 ? results() : ''}`,
    place,
  )
}

for (const event of events) apply(event)
show()

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
    view.isLost = true
    show()
  })
  stream.addEventListener('open', () => {
    view.isLost = false
    show()
  })
}

// The home page: health and version of every part, and what happened, both kept up to date.
import { call, clockTime, environment, fill, followHops, pageData } from './kit.js'
import { html, render } from './lit-html/lit-html.js'

const { activity, last, texts, exchanges } = pageData()
const language = document.documentElement.lang

/** With the day, if it is not today's. */
function timeOf(at) {
  const [day, today] = [at, Date.now()].map((time) => new Date(time).toISOString().slice(0, 10))
  return day === today ? clockTime(at) : `${day} ${clockTime(at)}`
}

const because = ({ reason, isQuoted }) =>
  reason ? html`: <span lang=${isQuoted ? 'en' : language}>${reason}</span>` : ''

/** The exchange with the rules and values, if there is a page of exchanges. */
function linked({ id, text }) {
  if (!exchanges) return text
  const address = new URL(exchanges, location.href)
  address.searchParams.set('exchange', id)
  return html`<a href=${address.pathname + address.search}>${text}</a>`
}

const entry = (each) => html`<li class=${each.tone}>
  <time datetime=${new Date(each.at).toISOString()}>${timeOf(each.at)}</time>
  <span>${linked(each)}${because(each)}
  ${each.times > 1 ? html`<span class="badge">${fill(texts.times, each)}</span>` : ''}</span>
</li>`

function showActivity(entries) {
  const list = html`<ol class="list activity">${entries.map(entry)}</ol>`
  const content = entries.length === 0 ? html`<p class="soft">${texts.nothingYet}</p>` : list
  render(content, document.getElementById('activity'))
}

// Exchanges arrive in bursts: the sentences are read again a moment after the first one.
let isWaiting = false
async function refreshActivity() {
  if (isWaiting) return
  isWaiting = true
  await new Promise((resolve) => setTimeout(resolve, 600))
  isWaiting = false
  const query = new URLSearchParams({ env: environment() })
  showActivity((await call('GET', `/console/activity?${query}`)).activity)
}

const parts = [...document.querySelectorAll('li[data-url]')]

function showPart(part, state, detail) {
  const badge = part.querySelector('.health')
  badge.className = `badge health ${{ healthy: 'good', degraded: 'wait', broken: 'bad' }[state]}`
  badge.textContent = texts[state]
  const fault = part.querySelector('.fault')
  fault.hidden = !detail
  fault.textContent = detail ?? ''
}

function summarize(text, tone) {
  const summary = document.getElementById('summary')
  summary.className = `badge ${tone}`
  if (summary.textContent !== text) summary.textContent = text
}

async function showHealth() {
  try {
    const { services } = await call('GET', '/control/health')
    let unhealthy = 0
    for (const part of parts) {
      const found = services.find(({ url }) => url === part.dataset.url)
      const { problem, degraded } = found ?? {}
      if (problem ?? degraded) unhealthy++
      showPart(part, problem ? 'broken' : degraded ? 'degraded' : 'healthy', problem ?? degraded)
    }
    const counts = { count: unhealthy, total: parts.length }
    if (unhealthy === 0) summarize(fill(texts.allHealthy, counts), 'good')
    else summarize(fill(texts.someUnhealthy, counts), 'bad')
  } catch ({ status }) {
    // The session has ended, as the notice says: the parts may be healthy.
    if (status === 401) return
    for (const part of parts) showPart(part, 'broken')
    summarize(texts.silent, 'bad')
  }
}

async function showVersions() {
  const versions = await call('GET', '/console/versions')
  for (const part of parts) {
    const version = versions[part.dataset.url]
    if (version) part.querySelector('.version').textContent = version.replace(/^v?/, 'v')
  }
}

showActivity(activity)
followHops(last, refreshActivity)
showHealth().then(showVersions)
setInterval(showHealth, 10_000)

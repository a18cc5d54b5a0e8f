// The home page: health and version of every part, and what happened, both kept up to date.
import { call, environment, fill, followHops, pageData } from './kit.js'

const { last, texts } = pageData()

let shown

/** Shows a list of the server, in which the focused link keeps the focus. */
function showActivity(markup) {
  if (markup === shown) return
  shown = markup
  const place = document.getElementById('activity')
  const focused = place.querySelector('a:focus')?.getAttribute('href')
  const { body } = new DOMParser().parseFromString(markup, 'text/html')
  place.replaceChildren(...body.childNodes)
  const links = [...place.querySelectorAll('a')]
  links.find((link) => link.getAttribute('href') === focused)?.focus({ preventScroll: true })
}

// Exchanges arrive in bursts: the sentences are read again a moment after the first one.
let isWaiting = false
async function refreshActivity() {
  if (isWaiting) return
  isWaiting = true
  await new Promise((resolve) => setTimeout(resolve, 600))
  isWaiting = false
  const query = new URLSearchParams({ env: environment() })
  showActivity((await call('GET', `/console/activity?${query}`)).markup)
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

followHops(last, refreshActivity)
showHealth().then(showVersions)
setInterval(showHealth, 10_000)

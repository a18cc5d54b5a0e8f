const shownHops = 100

async function showHealth() {
  try {
    const response = await fetch('/control/health')
    if (!response.ok) return
    for (const { url, problem, degraded } of (await response.json()).services) {
      for (const row of document.querySelectorAll('tr[data-url]')) {
        if (row.dataset.url !== url) continue
        const dot = row.querySelector('.dot')
        dot.className = `dot ${problem ? 'bad' : degraded ? 'degraded' : 'good'}`
        dot.title = problem ?? degraded ?? 'well'
      }
    }
  } catch {
    for (const dot of document.querySelectorAll('.dot')) {
      dot.className = 'dot bad'
      dot.title = 'the testbed does not answer'
    }
  }
}

function cell(text, name = '') {
  const element = document.createElement('td')
  element.className = name
  element.textContent = text
  return element
}

function showHop({ at, from, to, kind, method, url, status, durationMilliseconds }) {
  const row = document.createElement('tr')
  if (status >= 400) row.className = 'failed'
  row.append(
    cell(new Date(at).toISOString().slice(11, 23), 'time'),
    cell(from),
    cell(to),
    cell(kind === 'http' ? `${method} ${url}` : url, 'what'),
    cell(status, 'number'),
    cell(durationMilliseconds.toFixed(1), 'number'),
  )
  const rows = document.querySelector('#hops tbody')
  rows.prepend(row)
  while (rows.childElementCount > shownHops) rows.lastElementChild.remove()
}

const { last } = document.querySelector('#hops').dataset
const stream = new EventSource(`/control/traces/stream?since=${last}`)
stream.addEventListener('hop', ({ data }) => showHop(JSON.parse(data)))

showHealth()
setInterval(showHealth, 10_000)

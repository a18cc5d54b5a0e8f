import { beforeAll, describe, expect, it } from 'vitest'
import { send } from '#test/support/http.ts'
import { openBrowser, openSession } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
let session: Awaited<ReturnType<typeof openSession>>
beforeAll(async () => {
  session = await openSession(shared.testbed.createConsoleLink())
})

async function call(method: string, path: string, json?: object) {
  const response = await send(`${shared.file.consoleUrl}${path}`, {
    method,
    headers: { ...session, origin: shared.file.consoleUrl },
    json,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The events of a run until its end. */
async function follow(location: string) {
  const { text } = await call('GET', `/console${location}/events`)
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)))
}

const start = async (json: object) => {
  const { status, text } = await call('POST', '/console/self-runs', json)
  return { status, ...(JSON.parse(text) as { location: string; error?: string }) }
}

it('suites run on a separate testbed by default, like those of the command line', async () => {
  const { text } = await call('GET', '/suites')
  const places = [...text.matchAll(/name="testbed" value="(\w+)"( checked)?/g)]
  expect(places.map(([, value, checked]) => [value, checked !== undefined])).toEqual([
    ['separate', true],
    ['here', false],
  ])
})

describe('a run of the console', () => {
  it('shows its results as they arrive, its sandboxed report and what changed since', async () => {
    const page = await (await openBrowser()).newPage()
    const { location } = await start({ plan: 'verifier', pattern: '^V0[12]$' })
    await page.goto(shared.testbed.createConsoleLink(location))
    const second = await start({ plan: 'tir' })
    expect([second.status, second.error]).toEqual([409, 'run_in_progress'])
    await page.waitForSelector(`a[href="${location}/report"]`)
    const readShown = () => page.$$eval('.results code', (ids) => ids.map((id) => id.textContent))
    // Newest first; the testbed's own verifier passes its plan. If the run ended before the page was
    // opened, the link to the report precedes what the page's script shows.
    await expect.poll(readShown).toEqual(['V02', 'V01'])
    expect(await page.$$eval('.results .badge.good', (rows) => rows.length)).toBe(2)
    const report = await call('GET', `${location}/report`)
    const policy = report.headers.get('content-security-policy')
    expect(policy).toContain('sandbox allow-scripts')
    expect(policy).not.toContain('allow-same-origin')
    const links = [...report.text.matchAll(/<blockquote class="rule">.*?<a href="([^"]*)"/g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, href = ''] of links) expect((await call('GET', href)).status).toBe(200)
    await page.goto(`${shared.file.consoleUrl}${location}/report`)
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('All passed')
    expect(await page.evaluate('origin')).toBe('null')

    const next = await start({ plan: 'verifier', pattern: '^V01$' })
    const events = await follow(next.location)
    expect(events.map(({ kind }) => kind)).toEqual(['total', 'ended', undefined])
    const earlier = location.split('/').at(-1)
    const { text } = await call('GET', `${next.location}?with=${earlier}`)
    expect(text).toContain('The two runs did not select the same checks.')
    expect(text).toMatch(/<h3>Gone<\/h3>[\s\S]*V02/)
  })

  it('ends when it is stopped', async () => {
    const { location } = await start({ plan: 'wallet' })
    expect((await call('POST', `/console${location}/stop`)).status).toBe(204)
    await follow(location)
    expect((await call('GET', location)).text).toContain('Stopped')
    const again = await call('POST', `/console${location}/stop`)
    expect([again.status, JSON.parse(again.text).error]).toEqual([409, 'run_ended'])
  })

  it('has failed if no check has a result', async () => {
    const text = [
      'plan: verifier',
      'name: Nothing listens there',
      'request: { call: { url: http://127.0.0.1:9/sessions }, link: $.link }',
      'verdict: { response: { refused: [403] } }',
    ].join('\n')
    const target = { plan: 'verifier', name: 'closed', text, checks: ['V01'] }
    const begun = await call('POST', '/console/target-runs', target)
    const { location } = JSON.parse(begun.text)
    await follow(location)
    const page = (await call('GET', location)).text
    expect(page).toMatch(/<span class="badge bad">Failed: too few results<\/span>/)
    expect(page).toContain(`href="${location}/report"`)
  })

  it('does not begin with an option in place of a pattern', async () => {
    const { status, error } = await start({ plan: 'wallet', pattern: '--sign=key.pem' })
    expect([status, error]).toEqual([400, 'invalid_request'])
  })
})

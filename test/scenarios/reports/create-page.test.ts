import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'puppeteer-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'
import { describeHop, findFailedHop, groupHops } from '#scenarios/reports/describe-hops.ts'
import { dialectSection, summarizeDialectAsMarkdown } from '#scenarios/reports/dialect-section.ts'
import { slugOf } from '#scenarios/reports/formatting.ts'
import { createImageTable, renderMarkdown } from '#scenarios/reports/result-sections.ts'
import { listExchanges } from '#scenarios/reports/verdicts.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openBrowser } from '#test/support/open-console.ts'
import {
  createCheckResult,
  createConformanceResults,
  createMixedChecks,
  createResults,
  createScenarioHop,
  createScenarioResult,
} from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const inner = `${encode({ alg: 'EdDSA' })}.${encode({ sub: 'did:key:holder' })}.…`
const token = `${encode({ alg: 'ES256K' })}.${encode({ iss: 'did:org:uc-pre:z1issuer', iat: 1795255200, vp: { verifiableCredential: [inner] } })}.…`
const hostile = '</script><script>document.title = "broken"</script><img src=x onerror="alert(1)">'
const fix = 'Publish the accreditation below a trusted root.'
const png = createQrPng('openid4vp://?request_uri=x').toString('base64')
const image = { name: 'QR', mimeType: 'image/png', base64: png, step: 1 }
const step = (title: string, verdict: 'passed' | 'failed') => ({
  title,
  beganAt: 0,
  durationMilliseconds: 10,
  verdict,
})

const results = createResults({
  scenarios: [
    createScenarioResult({
      verdict: 'failed',
      title: 'Fails & is <b>told</b>',
      description: hostile,
      steps: [step('first', 'passed'), step(`second ${hostile}`, 'failed')],
      failure: {
        code: 'expectation_failed',
        message: hostile,
        expected: { status: 'issued', id: 1 },
        actual: { status: hostile, id: 1 },
        stack: hostile,
      },
      attachments: [image, { ...image, name: 'QR again' }],
      hops: [
        createScenarioHop({ durationMilliseconds: 13, requestId: 'a' }),
        createScenarioHop({
          step: 2,
          from: 'wallet',
          to: 'verifier',
          url: `/responses/x?state=${encodeURIComponent(hostile)}`,
          requestId: 'b',
          requestBody: { vp_token: token, [hostile]: [hostile, '\uE0000\uE001'] },
          responseBody: hostile,
          rules: [
            { rule: 'vp.nonce', statement: 'It is the nonce.', passed: true },
            { rule: 'trust.root', path: 'hops[1]', passed: false, reasons: [hostile], fix },
          ],
        }),
        createScenarioHop({ step: 2, from: 'verifier', to: 'tir', status: 404, requestId: 'b' }),
      ],
    }),
    createScenarioResult({ algorithm: 'EdDSA', title: 'Passes', attachments: [image] }),
    createScenarioResult({ suite: 'time', name: 'expired-qr', verdict: 'not-run' }),
  ],
})

const earlier = createResults({
  startedAt: '2026-11-20T10:00:00.000Z',
  scenarios: [createScenarioResult(), createScenarioResult({ algorithm: 'EdDSA' })],
})

const browser = await openBrowser()

interface OpenOptions {
  readonly scripts?: boolean
  readonly fragment?: string
  readonly earlier?: Results
  readonly results?: Results
}

async function openReport(options: OpenOptions = {}) {
  const { scripts = true, fragment = '' } = options
  const folder = createTemporaryFolder()
  const written = { earlier: options.earlier, workingFolder: folder }
  const paths = await writeReports(folder, options.results ?? results, written)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.setJavaScriptEnabled(scripts)
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  const address = pathToFileURL(join(folder, 'index.html')).href
  await page.goto(`${address}${fragment}`)
  if (scripts) await page.waitForSelector('.scenario[open] .diagram')
  const loaded = requests.filter((url) => !url.startsWith('data:'))
  return { page, paths, folder, loaded, problems }
}

const visibleIds = (page: Page) =>
  page.$$eval('.scenario', (found) =>
    found.filter((each) => each.checkVisibility()).map(({ id }) => id),
  )
const textOf = (page: Page, selector: string) =>
  page.$eval(selector, ({ textContent }) => textContent ?? '')

const [failed, passed, notRun] = [
  'issuance-representative-ES256K',
  'issuance-representative-EdDSA',
  'time-expired-qr-ES256K',
]

describe('the report', () => {
  it('fits a phone, even with long words', async () => {
    const word = 'x'.repeat(200)
    const rules = [{ rule: 'trust.root', path: word, passed: false, reasons: [word] }]
    const scenario = createScenarioResult({
      verdict: 'failed',
      title: word,
      description: word,
      failure: { code: 'expectation_failed', message: word },
      hops: [createScenarioHop({ url: `/${word}`, rules })],
    })
    const long = createResults({ pattern: `^(login/${word})$`, scenarios: [scenario] })
    const { page } = await openReport({ results: long, fragment: `#${failed}-1` })
    await page.waitForSelector('.evaluated')
    await page.setViewport({ width: 360, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const edge = `Math.max(...[...document.querySelectorAll('.rules *')].map((each) => each.getBoundingClientRect().right))`
    expect(await page.evaluate(edge)).toBeLessThan(360)
  })

  it('is one file without external resources', async () => {
    const { loaded, paths, problems } = await openReport()
    expect(loaded).toHaveLength(1)
    expect(problems).toEqual([])
    expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual([
      'index.html',
      'junit.xml',
      'results.json',
      'summary.md',
    ])
  })

  it('contains results that its own schema reads unchanged', async () => {
    const { paths } = await openReport()
    const path = paths.find((each) => each.endsWith('results.json')) ?? ''
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    expect(zResults.parse(read)).toEqual(JSON.parse(JSON.stringify(results)))
  })

  it('writes the images of failures as files for JUnit', async () => {
    const { folder } = await openReport()
    const junit = await readFile(join(folder, 'junit.xml'), 'utf8')
    const [first] = [...junit.matchAll(/\[\[ATTACHMENT\|(.+?)\]\]/g)].map(([, path]) => path)
    expect(first).toBe(`attachments/${failed}-2.png`)
    expect((await readFile(join(folder, first ?? ''))).toString('base64')).toBe(png)
  })

  it('opens failures with their images, and keeps the others closed', async () => {
    const { page } = await openReport()
    const open = await page.$$eval('.scenario[open]', (found) => found.map(({ id }) => id))
    expect(open).toEqual([failed])
    const width = await page.evaluate(`document.querySelector('figure img').naturalWidth`)
    expect(width).toBeGreaterThan(100)
  })

  it('contains an image once, regardless of how often it is shown', async () => {
    const { folder } = await openReport()
    expect((await readFile(join(folder, 'index.html'), 'utf8')).split(png)).toHaveLength(2)
  })

  it('opens only a few of many failures: each open one is drawn immediately', async () => {
    const scenarios = Array.from({ length: 9 }, (_, number) =>
      createScenarioResult({
        name: `scenario-${number}`,
        verdict: 'failed',
        hops: [createScenarioHop()],
      }),
    )
    const { page } = await openReport({ results: createResults({ scenarios }) })
    expect(await page.$$('.scenario[open]')).toHaveLength(3)
  })

  it('lists the failures at the top, with links', async () => {
    const { page } = await openReport()
    expect(await textOf(page, '.failures li')).toContain('Fails & is <b>told</b>')
    await page.$eval('.scenario[open]', (each) => each.removeAttribute('open'))
    await page.click('.failures a')
    await page.waitForSelector(`#${failed}[open] .diagram`)
  })

  it('shows expected and actual values as a difference', async () => {
    const { page } = await openReport()
    const lines = await page.$$eval('.diff > span', (found) =>
      found.map(({ className, textContent }) => [className, textContent?.trim()]),
    )
    expect(lines).toEqual([
      ['both', '{'],
      ['expected', 'only expected:   "status": "issued",'],
      ['found', `only found:   "status": ${JSON.stringify(hostile)},`],
      ['both', '"id": 1'],
      ['both', '}'],
    ])
  })

  it('is accessible, with failures, exchanges and their rules open', async () => {
    const failure = { code: 'expectation_failed', message: 'the status is 500, expected 200' }
    const other = createScenarioResult({ name: 'other', verdict: 'failed', failure })
    const several = createResults({ scenarios: [...results.scenarios, other] })
    const { page } = await openReport({ earlier, results: several, fragment: `#${failed}-2` })
    await page.waitForSelector('.evaluated')
    await page.$$eval('details', (found) => {
      for (const each of found) each.setAttribute('open', '')
    })
    await expectAccessible(page)
  })
})

describe('the report of hostile results', () => {
  it('shows everything as text, never as markup', async () => {
    const { page, problems } = await openReport({ fragment: `#${failed}-2` })
    await page.waitForSelector('.evaluated')
    expect(await page.title()).toBe('1 failed · scenarios')
    expect(problems).toEqual([])
    expect(await textOf(page, `#${failed} .title`)).toBe('Fails & is <b>told</b>')
    expect(await textOf(page, '.failure .said')).toBe(hostile)
    expect(await textOf(page, '.evaluated > .rules .reason')).toBe(hostile)
    expect(await textOf(page, '.message:last-child .json')).toBe(hostile)
    expect(await page.$$('[onerror]')).toEqual([])
  })

  it('does not run a script in the results', async () => {
    const { page, problems } = await openReport()
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'document.title = "broken"'
      document.body.append(script)
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="document.title = 1">')
    }`)
    expect(await page.title()).toBe('1 failed · scenarios')
    expect(problems.join()).toContain('Content Security Policy')
  })
})

describe('a script in the report', () => {
  it('cannot send data anywhere', async () => {
    const { page } = await openReport()
    const violated = await page.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
      fetch('http://127.0.0.1:1/').catch(() => setTimeout(resolve, 1000, 'nothing'))
    })`)
    expect(violated).toBe('connect-src')
  })
})

describe('the sequence of a scenario', () => {
  it('has a lifeline for each part and an arrow for each hop', async () => {
    const { page } = await openReport()
    const names = await page.$$eval(`#${failed} .actor-name`, (found) =>
      found.map(({ textContent }) => textContent),
    )
    expect(names).toEqual(['wallet', 'verifier', 'connector', 'tir'])
    const labels = await page.$$eval(`#${failed} .label`, (found) =>
      found.map(({ textContent }) => textContent),
    )
    expect(labels).toEqual([
      'POST /token 200 13 ms',
      'POST /responses/x 200 13 ms ✗ rules broken, the scenario failed here',
      'POST /token 404 13 ms',
    ])
  })

  it('has parts that only send requests on the left, and parts that receive them on the right, known or not', async () => {
    const hops = [
      createScenarioHop({ from: 'operator', to: 'tir', requestId: 'a' }),
      createScenarioHop({ from: 'tir', to: 'archive', requestId: 'b' }),
      createScenarioHop({ from: 'wallet', to: 'issuer', requestId: 'c' }),
    ]
    const { page } = await openReport({
      results: createResults({ scenarios: [createScenarioResult({ verdict: 'failed', hops })] }),
    })
    const names = await page.$$eval('.actor-name', (found) => found.map((each) => each.textContent))
    expect(names).toEqual(['wallet', 'operator', 'issuer', 'tir', 'archive'])
  })

  it('keeps a long name in its box, and a long label above its arrow', async () => {
    const parts = Array.from({ length: 16 }, (_, index) => `part${index}`)
    const few = [
      createScenarioHop({ from: 'browser', to: 'verifier', url: `/${'x'.repeat(80)}` }),
      createScenarioHop({ from: 'wallet', to: 'organization-with-a-name' }),
    ]
    const many = parts.map((to) => createScenarioHop({ from: 'wallet', to }))
    const call = createScenarioHop({ kind: 'chain', url: 'eth_call', from: 'part8', to: 'part9' })
    const { page } = await openReport({
      results: createResults({
        scenarios: [
          createScenarioResult({ verdict: 'failed', hops: few }),
          createScenarioResult({ name: 'many', verdict: 'failed', hops: [...few, ...many, call] }),
        ],
      }),
    })
    await page.waitForSelector('#issuance-many-ES256K .diagram')
    const overlong = `(inner, outer) => [...document.querySelectorAll(inner)].filter((each) =>
      each.getBoundingClientRect().right > outer(each).getBoundingClientRect().right + 1
    ).map((each) => each.textContent)`
    const names = `(${overlong})('.actor-name', (name) => name.previousElementSibling)`
    expect(await page.evaluate(names)).toEqual([])
    const labels = `(${overlong})('#${failed} .label', (label) => label.parentElement.querySelector('.tip'))`
    expect(await page.evaluate(labels)).toEqual([])
    // At the edge, without its duration, and not behind the number.
    const last = await page.$$eval('#issuance-many-ES256K .hop', (hops) => {
      const [number, label] = ['.number', '.label'].map((part) => hops.at(-1)?.querySelector(part))
      const isBehind = Number(label?.getAttribute('x')) < Number(number?.getAttribute('x'))
      return { text: label?.textContent, isBehind }
    })
    expect(last).toEqual({ text: 'eth_call 200', isBehind: false })
  })

  it('follows the rejected exchange and its reason, with a link to the exchange', async () => {
    const { page } = await openReport()
    const text = await textOf(page, `#${failed} .refusal`)
    expect(text).toContain('Exchange 2, wallet → verifier')
    expect(text).toContain('trust.root at hops[1]')
    expect(text).not.toContain('vp.nonce')
    expect(await page.$$('.refusal')).toHaveLength(1)
    expect(await textOf(page, '.refusal .reason')).toBe(hostile)
    expect(await textOf(page, '.refusal .fix')).toBe(fix)
    await page.click('.refusal a')
    await page.waitForSelector(`#${failed}-2[open]`)
  })

  it('marks the step and the exchange of the failure', async () => {
    const { page } = await openReport()
    const marked = await page.$$eval('.hop.failed-here', (found) =>
      found.map((link) => link.getAttribute('href')),
    )
    expect(marked).toEqual([`#${failed}-2`])
    expect(await textOf(page, '.band.failed')).toMatch(/^2\. second .* ✗ failed$/)
    expect(await textOf(page, '.exchange-details.failed-here .marks')).toContain('failed here')
  })

  it('leads from an arrow to the exchange, its rules and its tokens, with the keyboard', async () => {
    const { page } = await openReport({ fragment: '#verdict=failed' })
    // An SVG element, which the library does not focus.
    await page.evaluate(`document.querySelector('a.hop[href="#${failed}-2"]').focus()`)
    await page.keyboard.press('Enter')
    await page.waitForSelector(`#${failed}-2[open] .token`)
    const text = await textOf(page, `#${failed}-2`)
    expect(text).toContain('"did:org:uc-pre:z1issuer"')
    expect(text).toContain('1795255200 2026-11-21 10:00:00 UTC')
    expect(text).toContain('vp.verifiableCredential[0] decoded, EdDSA')
    expect(text).toContain('"did:key:holder"')
    expect(text).toContain('Checked by verifier: 1 of 2 rules broken')
    expect(new URL(page.url()).hash).toBe(`#verdict=failed&at=${failed}-2`)
    expect(await page.evaluate('document.activeElement.closest("details").id')).toBe(`${failed}-2`)
  })

  it('shows an image in full size on click', async () => {
    const { page } = await openReport()
    const heightOf = async () => (await (await page.$('figure img'))?.boundingBox())?.height ?? 0
    const small = await heightOf()
    await page.click('figure img')
    expect(await heightOf()).toBeGreaterThan(small)
  })
})

describe('the filter', () => {
  it('finds where a rule was broken, but not if it passed', async () => {
    const { page } = await openReport()
    await page.type('#text', 'trust.root')
    expect(await visibleIds(page)).toEqual([failed])
    await page.evaluate(`document.getElementById('text').select()`)
    await page.type('#text', 'vp.nonce')
    expect(await visibleIds(page)).toEqual([])
  })

  it('accepts words in any order and gets focus with the key /', async () => {
    const { page } = await openReport()
    await page.keyboard.press('/')
    await page.keyboard.type('eddsa passes')
    expect(await visibleIds(page)).toEqual([passed])
    expect(await textOf(page, '#shown')).toBe('1 scenario')
    await page.keyboard.type('nothing of the kind')
    expect(await visibleIds(page)).toEqual([])
    expect(await page.$eval('.nothing', (found) => found.checkVisibility())).toBe(true)
  })

  it('filters by suite and algorithm, and is part of the address', async () => {
    const { page } = await openReport()
    await page.select('[name=algorithm]', 'ES256K')
    expect(await visibleIds(page)).toEqual([failed, notRun])
    await page.select('[name=suite]', 'time')
    expect(await visibleIds(page)).toEqual([notRun])
    expect(new URL(page.url()).hash).toBe('#algorithm=ES256K&suite=time')
    await page.reload()
    expect(await visibleIds(page)).toEqual([notRun])
  })

  it.each([
    ['#verdict=failed', [failed]],
    ['#verdict=skipped', [notRun]],
    ['#text=Passes', [passed]],
    ['#verdict=changed', [failed, notRun]],
    ['#verdict=no-such-verdict', [failed, passed, notRun]],
    ['#%E0%A4%A', [failed, passed, notRun]],
  ])('reads %s from the address', async (fragment, ids) => {
    const { page } = await openReport({ fragment, earlier })
    expect(await visibleIds(page)).toEqual(ids)
  })
})

describe('the report without scripts', () => {
  it('shows each scenario’s story as text', async () => {
    const { page } = await openReport({ scripts: false })
    expect(await textOf(page, `#${failed}`)).toContain('second')
    expect(await textOf(page, `#${failed} .hops`)).toContain('results.json')
    expect(await page.$eval('.choice', (found) => found.checkVisibility())).toBe(false)
  })

  it('filters by verdict', async () => {
    const { page } = await openReport({ scripts: false, earlier })
    expect(await visibleIds(page)).toEqual([failed, passed, notRun])
    await page.click('label:has(#show-failed)')
    expect(await visibleIds(page)).toEqual([failed])
    await page.click('label:has(#show-skipped)')
    expect(await visibleIds(page)).toEqual([notRun])
    await page.click('label:has(#show-changed)')
    expect(await visibleIds(page)).toEqual([failed, notRun])
  })
})

describe('the report with an earlier run', () => {
  it('lists the changes at its top and with each scenario', async () => {
    const { page, folder } = await openReport({ earlier })
    expect(await textOf(page, '.difference summary')).toContain('1 newly failing, 1 new')
    expect(await textOf(page, `#${failed} .change`)).toBe('newly failing')
    expect(await page.$(`#${passed} .change`)).toBeNull()
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('1 newly failing, 1 new')
  })
})

describe('the report of a plan', () => {
  const plan = createConformanceResults({ scenarios: createMixedChecks() })
  const id = (number: number) => `verifier-V0${number}-made-up`

  it('begins with target and table, then shows failures and reasons, and folds passed checks', async () => {
    const { page, problems } = await openReport({ results: plan })
    expect(problems).toEqual([])
    expect(await page.title()).toBe('1 failed · Conformance of the verifier')
    expect(await textOf(page, 'header')).toContain('https://verifier.example')
    const words = await page.$$eval('.verdicts tbody tr', (rows) =>
      rows.map(({ textContent }) =>
        textContent
          ?.trim()
          .match(/^([A-Z ]+)(\d)/)
          ?.slice(1),
      ),
    )
    expect(words).toEqual([
      ['FAIL', '1'],
      ['WARN', '1'],
      ['INCONCLUSIVE', '1'],
      ['NOT RUN', '1'],
      ['PASS', '1'],
    ])
    expect(await visibleIds(page)).toEqual([id(1), id(2), id(3), id(5)])
    const cardText = await textOf(page, `#${id(1)}`)
    for (const text of [
      'The presentation was accepted: HTTP 200',
      'The signature of the VP is verified.',
      '1.verification/row.3',
      'spec: required by the profile',
      'a presentation whose signature has one bit turned',
      'status poll: $.status = FAILED',
      "testbed conformance verifier '^V01$' --target verifier.yaml",
    ]) {
      expect(cardText).toContain(text)
    }
  })

  it('links each statement and each broken rule to its paragraph, and cites it once', async () => {
    const rule = {
      id: '1.errors.3',
      text: 'It is unauthorized.',
      paragraph: 'docs/profile/issuer.md#1.errors.3',
    }
    const { page } = await openReport({
      results: createConformanceResults({
        scenarios: [
          createCheckResult({
            verdict: 'failed',
            check: { rules: [rule] },
            references: [
              { document: 'Profile', section: rule.id },
              { document: 'OpenID4VP 1.0', section: '8.6' },
            ],
            hops: [createScenarioHop({ rules: [{ rule: 'trust.root', passed: false }] })],
          }),
        ],
      }),
    })
    const links = await page.$$eval('.rule a, .refusal .rules a', (found) =>
      found.map(({ href }) => href),
    )
    expect(links.map((href) => new URL(href).hash)).toEqual(['#1.errors.3', '#walk-the-chain'])
    for (const href of links) expect(existsSync(fileURLToPath(href))).toBe(true)
    expect(await textOf(page, '.references')).toBe('OpenID4VP 1.0, 8.6')
  })

  it('shows the fix of failures and warnings only', async () => {
    const { page } = await openReport({ results: plan })
    const shown = await page.$$eval('.fix', (found) =>
      found.map((each) => [each.closest('.scenario')?.id, each.textContent]),
    )
    const fix = 'Fix: Verify the signature of vp_token with the key of its kid, and return 400.'
    expect(shown).toEqual([
      [id(1), fix],
      [id(2), fix],
    ])
  })

  it('shows the reason why a check did not pass, in its line', async () => {
    const { page } = await openReport({ results: plan })
    expect(await textOf(page, `#${id(3)} > summary`)).toMatch(
      /INCONCLUSIVE .*The target has no clock: add the verb set-clock/,
    )
    expect(await textOf(page, `#${id(2)} > summary`)).toContain('WARN')
    expect(await page.$(`#${id(4)} .why`)).toBeNull()
  })

  it('opens warnings if nothing failed, and shows a reason that checks share once', async () => {
    const undecided = (name: string) =>
      createCheckResult({ name, verdict: 'inconclusive', check: { id: name, reason: 'No offer.' } })
    const warned = createCheckResult({ name: 'I08', verdict: 'warned', check: { id: 'I08' } })
    const scenarios = [undecided('I09'), undecided('I10'), warned]
    const results = createConformanceResults({ scenarios })
    const { page } = await openReport({ results })
    const open = await page.$$eval('.scenario[open] .word', (found) =>
      found.map(({ textContent }) => textContent),
    )
    expect(open).toEqual(['WARN'])
    const whys = await page.$$eval('.inconclusive .why', (found) =>
      found.map(({ textContent }) => textContent),
    )
    expect(whys).toEqual(['No offer.', 'For the same reason as I09.'])
  })

  it('shows the decoded message with its address', async () => {
    const { page } = await openReport({ results: plan, fragment: `#${id(1)}-1` })
    await page.waitForSelector(`#${id(1)}-1[open] .token`)
    const text = await textOf(page, `#${id(1)}-1`)
    expect(text).toContain('https://verifier.example/responses/1')
    expect(text).toContain('"did:key:z1"')
  })

  it('reports an internal error as an error of the kit', async () => {
    const failure = { code: 'kit_error', message: 'x is undefined' }
    const check = createCheckResult({ verdict: 'inconclusive', failure })
    const results = createConformanceResults({ scenarios: [check] })
    const { page } = await openReport({ results, fragment: `#${slugOf(check.id)}` })
    await page.waitForSelector('.finding')
    expect(await textOf(page, '.finding')).toContain(
      'INCONCLUSIVE: Internal error in the conformance kit.',
    )
    expect(await textOf(page, '.finding')).toContain('x is undefined')
  })

  it('distinguishes an exit code and a missing response from HTTP statuses', async () => {
    const hops = [
      createScenarioHop({ kind: 'command', method: 'RUN', url: 'accept-offer', status: 0 }),
      createScenarioHop({ kind: 'command', method: 'RUN', url: 'present', status: 1 }),
      createScenarioHop({ status: 0 }),
    ]
    const check = createCheckResult({ verdict: 'failed', hops })
    const { page } = await openReport({ results: createConformanceResults({ scenarios: [check] }) })
    const codes = await page.$$eval('.exchange-details .code', (found) =>
      found.map(({ className, textContent }) => [className, textContent]),
    )
    expect(codes).toEqual([
      ['code good', 'exit 0'],
      ['code warn', 'exit 1'],
      ['code bad', 'none'],
    ])
    expect(listExchanges(check)).toEqual([
      'wallet → connector: RUN accept-offer, exit code 0',
      'wallet → connector: RUN present, exit code 1',
      'wallet → connector: POST /token, no response',
    ])
  })

  it('opens the fold that contains the target of a link', async () => {
    const { page } = await openReport({ results: plan })
    await page.click('label:has(#show-warned)')
    expect(await visibleIds(page)).toEqual([id(2)])
    await page.click('label:has(#show-passed)')
    expect(await visibleIds(page)).toEqual([id(4)])
    const other = await openReport({ results: plan, fragment: `#${id(4)}` })
    await other.page.waitForSelector(`#${id(4)}[open] .diagram`)
    expect(await visibleIds(other.page)).toContain(id(4))
  })

  it('lists folded checks on paper', async () => {
    const { page } = await openReport({ results: plan })
    expect(await visibleIds(page)).not.toContain(id(4))
    await page.emulateMediaType('print')
    expect(await visibleIds(page)).toContain(id(4))
  })

  it('filters by level, and without a script by verdict', async () => {
    const { page } = await openReport({ results: plan })
    await page.select('select[name=level]', 'practice')
    expect(await visibleIds(page)).toEqual([id(2)])
    const plain = await openReport({ results: plan, scripts: false })
    await plain.page.click('label:has(#show-inconclusive)')
    expect(await visibleIds(plain.page)).toEqual([id(3)])
    await plain.page.click('label:has(#show-passed)')
    expect(await visibleIds(plain.page)).toEqual([id(4)])
  })

  it('is accessible and fits a phone, even with a long name of the target', async () => {
    const word = 'x'.repeat(100)
    const long = createConformanceResults({
      scenarios: createMixedChecks(),
      conformance: { target: { name: word, description: word, addresses: {} } },
    })
    const { page } = await openReport({ results: long, fragment: `#${id(1)}-1` })
    await page.$$eval('details', (found) => {
      for (const each of found) each.setAttribute('open', '')
    })
    await expectAccessible(page)
  })
})

describe('describe hops', () => {
  describe('describeHop', () => {
    it('splits a query into its members, also JSON in them', () => {
      const url = '/offer?credential_offer=%7B%22a%22%3A1%7D&state=x'
      expect(describeHop(createScenarioHop({ url }))).toMatchObject({
        label: 'POST /offer',
        request: { query: { credential_offer: { a: 1 }, state: 'x' } },
      })
    })

    it('splits JSON in a form, and leaves other bodies unchanged', () => {
      const requestBody = { presentation_submission: '{"id":"x"}' }
      const requestHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
      expect(describeHop(createScenarioHop({ requestBody, requestHeaders })).request?.body).toEqual(
        {
          presentation_submission: { id: 'x' },
        },
      )
      expect(describeHop(createScenarioHop({ requestBody })).request?.body).toEqual(requestBody)
    })

    it('has no message if there is nothing to show', () => {
      const hop = describeHop(createScenarioHop({ requestHeaders: {}, rules: [] }))
      expect(Object.keys(hop)).not.toEqual(expect.arrayContaining(['request']))
      expect(Object.keys(hop)).not.toEqual(expect.arrayContaining(['rules']))
    })
  })

  const poll = (status: string) => createScenarioHop({ url: `/requests?session=${status}` })

  describe('groupHops', () => {
    it('combines the requests of a polling page and continues the count after it', () => {
      const hops = [createScenarioHop(), poll('a'), poll('b'), poll('c'), createScenarioHop()]
      expect(groupHops(hops).map(({ number, hops: { length } }) => [number, length])).toEqual([
        [1, 1],
        [2, 3],
        [5, 1],
      ])
    })

    it.each([
      ['status', { status: 400 }],
      ['caller', { from: 'browser' }],
      ['callee', { to: 'idp' }],
      ['method', { method: 'GET' }],
      ['path', { url: '/other' }],
      ['step', { step: 2 }],
    ])('does not combine hops that differ in their %s', (_, difference) => {
      expect(groupHops([createScenarioHop(), createScenarioHop(difference)])).toHaveLength(2)
    })
  })

  const step = (verdict: 'passed' | 'failed') => ({
    title: 'x',
    beganAt: 0,
    durationMilliseconds: 1,
    verdict,
  })
  const hop = (number: number, requestId?: string) =>
    createScenarioHop({ step: number, ...(requestId && { requestId }) })

  describe('findFailedHop', () => {
    it('is the last exchange that the scenario itself started at the failed step', () => {
      const hops = [hop(1, 'a'), hop(2, 'b'), hop(2, 'c'), hop(2, 'c'), hop(2, 'c')]
      const steps = [step('passed'), step('failed')]
      expect(findFailedHop({ verdict: 'failed', steps, hops })).toBe(2)
    })

    it('counts hops without a request id as those of the scenario', () => {
      const hops = [hop(1), hop(1)]
      expect(findFailedHop({ verdict: 'failed', steps: [step('failed')], hops })).toBe(1)
    })

    it('is undefined if the step had no exchange, or did not fail', () => {
      const steps = [step('passed'), step('failed')]
      expect(findFailedHop({ verdict: 'failed', steps, hops: [hop(1)] })).toBeUndefined()
      expect(findFailedHop({ verdict: 'passed', steps: [step('passed')], hops: [hop(1)] })).toBe(
        undefined,
      )
    })
  })
})

const summaries = [
  {
    kind: 'credential-request',
    messages: 2,
    members: [
      { path: 'types', follows: 'OpenID4VCI up to draft 11', clause: 'profile/connector' },
      {
        path: 'x<b>|y.types',
        follows: 'OpenID4VCI 1.0',
        clause: 'profile/connector',
        documents: 'types is in the entry itself',
      },
    ],
  },
]

describe('the dialect in reports', () => {
  it('states for each member its revision and the documented form', () => {
    const { markup } = dialectSection(summaries) ?? { markup: '' }
    expect(markup).toContain('credential-request, 2 messages')
    expect(markup).toContain('departs: types is in the entry itself')
    expect(markup).toContain('<code>x&lt;b&gt;|y.types</code>')
    expect(summarizeDialectAsMarkdown(summaries)).toContain(
      '| credential-request, 2 messages | x\\<b\\>\\|y.types | OpenID4VCI 1.0 | departs: types is in the entry itself |',
    )
  })

  it('is omitted if there is nothing to report', () => {
    expect(dialectSection([])).toBeUndefined()
    expect(summarizeDialectAsMarkdown([])).toBe('')
  })
})

describe('result sections', () => {
  const megabyte = 1024 * 1024
  const image = (character: string, megabytes: number) => ({
    name: 'Page',
    mimeType: 'image/png',
    base64: character.repeat(megabytes * megabyte),
    step: 1,
  })
  const [large, small, ofFailure] = [image('A', 3), image('B', 1), image('C', 2)]
  const scenarios = [
    createScenarioResult({ attachments: [large, small] }),
    createScenarioResult({ verdict: 'failed', attachments: [ofFailure, ofFailure] }),
  ]

  describe('createImageTable', () => {
    it('limits the size of a page by omitting images, those of failures last', () => {
      const { numberOf, images } = createImageTable(scenarios)
      expect([ofFailure, small, large].map(numberOf)).toEqual([0, 1, undefined])
      expect(images).toEqual([ofFailure.base64, small.base64])
    })

    it('does not accept documents', () => {
      const text = { ...small, mimeType: 'text/html' }
      const { images } = createImageTable([createScenarioResult({ attachments: [text] })])
      expect(images).toEqual([])
    })
  })

  describe('renderMarkdown', () => {
    it.each([
      ['paragraphs', 'one\nline\n\ntwo', '<p>one\nline</p><p>two</p>'],
      ['inline forms', '`a` **b** *c*', '<p><code>a</code> <strong>b</strong> <em>c</em></p>'],
      ['a list', '- one\n- two\n  more', '<ul><li>one</li><li>two\n  more</li></ul>'],
      ['a numbered list', '1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
      ['a link', '[x](https://a.b/c)', '<p><a href="https://a.b/c">x</a></p>'],
      ['markup as text', '<script>`<b>`', '<p>&lt;script&gt;<code>&lt;b&gt;</code></p>'],
      ['only http addresses', '[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ])('renders %s', (_, text, expected) => {
      expect(renderMarkdown(text).markup).toBe(expected)
    })
  })
})

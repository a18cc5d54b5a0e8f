import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createQrPng } from '#core/qr/create-qr-png.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { createResults } from '#test/support/create-results.ts'
import { createScenarioHop, createScenarioResult } from '#test/support/create-scenario-result.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = `${encode({ alg: 'ES256K' })}.${encode({ iss: 'did:org:uc-pre:z1issuer', iat: 1795255200 })}.…`

const results = createResults({
  scenarios: [
    createScenarioResult({
      verdict: 'failed',
      title: 'Fails & is <b>told</b>',
      failure: { code: 'x', message: '<script>document.title = "broken"</script>' },
      attachments: [
        {
          name: 'QR',
          mimeType: 'image/png',
          base64: createQrPng('openid4vp://?request_uri=x').toString('base64'),
          step: 1,
        },
      ],
      hops: [
        createScenarioHop(),
        createScenarioHop({
          from: 'connector',
          to: 'issuer',
          url: '/issuance/notifications',
          status: 404,
          responseBody: { credential: token },
        }),
      ],
    }),
    createScenarioResult({ algorithm: 'EdDSA', title: 'Passes' }),
    createScenarioResult({ suite: 'time', name: 'expired-qr', verdict: 'not-run' }),
  ],
})

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function openReport({ scripts = true, fragment = '' } = {}) {
  const folder = createTemporaryFolder()
  const paths = await writeReports(folder, results)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.setJavaScriptEnabled(scripts)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const address = pathToFileURL(join(folder, 'index.html')).href
  await page.goto(`${address}${fragment}`)
  return { page, paths, requests: requests.filter((url) => !url.startsWith('data:')) }
}

const visibleIds = (page: Page) =>
  page.$$eval('.scenario', (found) =>
    found.filter((each) => each.checkVisibility()).map(({ id }) => id),
  )

const [failed, passed, notRun] = [
  'issuance-representative-ES256K',
  'issuance-representative-EdDSA',
  'time-expired-qr-ES256K',
]

describe('the report', () => {
  it('is one file that asks for no other', async () => {
    const { requests, paths } = await openReport()
    expect(requests).toHaveLength(1)
    expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual([
      'index.html',
      'junit.xml',
      'results.json',
      'summary.md',
    ])
  })

  it('writes results that its own schema reads again, unchanged', async () => {
    const { paths } = await openReport()
    const path = paths.find((each) => each.endsWith('results.json')) ?? ''
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    expect(zResults.parse(read)).toEqual(JSON.parse(JSON.stringify(results)))
  })

  it('shows what scenarios say as text, never as markup', async () => {
    const { page } = await openReport()
    expect(await page.title()).toBe('1 failed · scenarios')
    expect(await page.$eval(`#${failed} .title`, ({ textContent }) => textContent)).toBe(
      'Fails & is <b>told</b>',
    )
    expect(await page.$eval('.failure .said', ({ textContent }) => textContent)).toContain(
      '<script>',
    )
  })

  it('opens what failed, with its image, and keeps the others closed', async () => {
    const { page } = await openReport()
    const open = await page.$$eval('.scenario[open]', (found) => found.map(({ id }) => id))
    expect(open).toEqual([failed])
    const width = await page.evaluate(`document.querySelector('figure img').naturalWidth`)
    expect(width).toBeGreaterThan(100)
  })

  it('draws a lifeline for each part and an arrow for each hop', async () => {
    const { page } = await openReport()
    const names = await page.$$eval(`#${failed} .actor-name`, (found) =>
      found.map(({ textContent }) => textContent),
    )
    expect(names).toEqual(['wallet', 'issuer', 'connector'])
    const labels = await page.$$eval(`#${failed} .label`, (found) =>
      found.map(({ textContent }) => textContent),
    )
    expect(labels).toEqual(['POST /token 200 13 ms', 'POST /issuance/notifications 404 13 ms'])
  })

  it('leads from an arrow to the hop with its tokens decoded, without scripts', async () => {
    const { page } = await openReport({ scripts: false, fragment: `#${failed}-2` })
    const text = await page.$eval(`#${failed}-2`, (found) =>
      found.checkVisibility() ? found.textContent : 'hidden',
    )
    expect(text).toContain('"did:org:uc-pre:z1issuer"')
    expect(text).toContain('2026-11-21 10:00:00 UTC')
    expect(
      await page.$$eval(`#${failed} a.hop`, (found) => found.map((a) => a.getAttribute('href'))),
    ).toEqual([`#${failed}-1`, `#${failed}-2`])
  })

  it('filters by verdict without scripts', async () => {
    const { page } = await openReport({ scripts: false })
    expect(await visibleIds(page)).toEqual([failed, passed, notRun])
    await page.click('label:has(#show-failed)')
    expect(await visibleIds(page)).toEqual([failed])
    await page.click('label:has(#show-skipped)')
    expect(await visibleIds(page)).toEqual([notRun])
  })

  it('shows an image in full size at a click, without scripts', async () => {
    const { page } = await openReport({ scripts: false })
    const heightOf = async () => (await (await page.$('figure img'))?.boundingBox())?.height ?? 0
    const small = await heightOf()
    await page.click('figure img')
    expect(await heightOf()).toBeGreaterThan(small)
  })

  it('searches by words in any order', async () => {
    const { page } = await openReport()
    await page.type('#search', 'eddsa passes')
    expect(await visibleIds(page)).toEqual([passed])
  })
})

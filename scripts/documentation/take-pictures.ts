// Takes the pictures of the documentation in a real browser: `node scripts/documentation/take-pictures.ts`
// writes them to docs/pictures. The full test run takes them again, in a temporary folder.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { runCommandLine } from '#testbed/command-line/run-command-line.ts'
import { tourSteps } from '#testbed/console/tour/tour-steps.ts'
import { startTestbed } from '#testbed/start-testbed.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

/** The size of a projector. */
const viewport = { width: 1280, height: 720 }

/** Pictures of the console, in this order: each with its page after the tour. */
const pages = [
  ['console', '/', '#activity li'],
  ['exchanges', '/exchanges', 'svg'],
  ['wallets', '/wallets', '.credential'],
] as const

/** Pictures of reports, each with the scenario to open and the command that writes the report. */
const reports = [
  ['conformance-report', undefined, 'conformance', 'verifier', '^V[0-2]', '--target', 'self'],
  ['scenario-report', '.scenario', 'run', '^issuance/representative', '--workers', '1'],
] as const

/**
 * Writes the pictures to a folder, as WebP. Returns their names.
 * @throws Error if a page does not show what its picture is about
 */
export async function takePictures(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const browser = await launchBrowser()
  const testbed = await startTestbed()
  const taken: string[] = []
  try {
    const page = await browser.newPage()
    await page.setViewport(viewport)
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }])
    const take = async (name: string) => {
      await page.screenshot({ path: join(folder, `${name}.webp`), type: 'webp', quality: 60 })
      taken.push(name)
    }
    await page.goto(testbed.createConsoleLink('/tour'))
    await walkTour(page, take)
    for (const [name, path, shown] of pages) {
      await page.goto(testbed.file.consoleUrl + path)
      await page.waitForSelector(shown)
      if (name === 'exchanges') await showIssuance(page)
      await take(name)
    }
    for (const [name, opened, ...args] of reports) {
      const report = mkdtempSync(join(tmpdir(), 'report-'))
      await runCommandLine([...args, '--report', report])
      await page.goto(pathToFileURL(join(report, 'index.html')).href)
      if (opened !== undefined) {
        await page.click(`${opened} summary`)
        await page.waitForSelector(`${opened} svg text`)
        await page.$eval(opened, (element) => element.scrollIntoView())
      }
      await take(name)
      rmSync(report, { recursive: true })
    }
  } finally {
    await browser.close()
    await testbed.close()
  }
  return taken
}

/** Shows the issuance from its beginning instead of the newest messages, most of which are calls to the chain. */
async function showIssuance(page: Page): Promise<void> {
  const journey = await page.$$eval(
    '#journey option',
    (options) => options.find(({ label }) => label.includes('Issuance to'))?.value ?? '',
  )
  await page.select('#journey', journey)
  await page.waitForFunction('new URLSearchParams(location.search).has("journey")')
  await page.$eval('#diagram .diagram', (diagram) => diagram.scrollTo(0, 0))
}

/** Presents the tour by its arrow keys, with pictures of the issued and of the revoked credential. */
async function walkTour(page: Page, take: (name: string) => Promise<void>): Promise<void> {
  for (const step of tourSteps) {
    await page.waitForSelector(`[data-step="${step}"][data-done="false"]`)
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector(`[data-step="${step}"][data-done="true"]`)
    if (step === 'accept') {
      await page.waitForSelector('.credential[data-status="valid"]')
      await take('tour')
    }
    if (step === 'rejected') await take('rejected-login')
    await page.keyboard.press('ArrowRight')
  }
}

if (import.meta.main) {
  const names = await takePictures(resolve(import.meta.dirname, '../../docs/pictures'))
  console.log(`Took ${names.length} pictures.`)
}

import type { Browser, Page } from 'puppeteer-core'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import type { OpenTestbed } from './running-testbed.ts'
import { onFinished } from './services.ts'

/** A browser that closes with the running test, or with the file if it was opened for all its tests. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser()
  onFinished(() => browser.close())
  return browser
}

/** The console of a running testbed, in a browser and over HTTP, with its cookie. */
export interface OpenConsole {
  readonly page: Page
  /** Opens a path of the console in the browser. */
  visit(path: string): Promise<void>
  /** Fetches a path of the console. */
  get(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** Calls an address of the console: posts JSON, or reads all of a stream. */
  call(path: string, json?: object): Promise<{ readonly status: number; readonly body: unknown }>
  /** Clicks, and waits until the page has loaded again. */
  clickThrough(selector: string): Promise<void>
  /** The visible text of an element, on one line. */
  textOf(selector: string): Promise<string>
  close(): Promise<void>
}

/** Opens a one-time link; returns the headers that a browser sends from then on. */
export async function openSession(link: string) {
  const { headers } = await fetch(link, { redirect: 'manual' })
  return {
    cookie: headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-console-key': headers.get('location')?.split('#key=')[1] ?? '',
  }
}

/** Opens the console with a one-time link; English unless a test chooses another language. */
export async function openConsole({ testbed, file }: OpenTestbed): Promise<OpenConsole> {
  const session = await openSession(testbed.createConsoleLink())
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 720 })
  await page.goto(testbed.createConsoleLink())
  return {
    page,
    async visit(path) {
      await page.goto(`${file.consoleUrl}${path}`)
    },
    async get(path, headers = {}) {
      const answer = await fetch(`${file.consoleUrl}${path}`, {
        headers: { ...session, ...headers },
      })
      return { status: answer.status, text: await answer.text() }
    },
    async call(path, json) {
      const answer = await fetch(`${file.consoleUrl}${path}`, {
        headers: { ...session, origin: file.consoleUrl, 'content-type': 'application/json' },
        ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      })
      return {
        status: answer.status,
        body: json === undefined ? await answer.text() : await answer.json(),
      }
    },
    async clickThrough(selector) {
      await Promise.all([page.waitForNavigation(), page.click(selector)])
    },
    textOf: (selector) =>
      page.$eval(selector, (element) =>
        String((element as { innerText?: string }).innerText)
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    close: () => browser.close(),
  }
}

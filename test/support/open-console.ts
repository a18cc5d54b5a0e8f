import type { Browser, Page } from 'puppeteer-core'
import { beforeAll, expect } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { findAccessibilityProblems } from './accessibility.ts'
import { callJson, send } from './http.ts'
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

/** A session of the console for all tests of a file: what its pages send, with its cookie. */
export function shareSession(shared: OpenTestbed) {
  let cookie: string
  beforeAll(async () => {
    cookie = (await openSession(shared.testbed.createConsoleLink())).cookie
  })
  return {
    /** Fetches a page; does not follow redirects. */
    async open(path: string, headers: Readonly<Record<string, string>> = {}) {
      const answer = await fetch(`${shared.file.consoleUrl}${path}`, {
        headers: { cookie, ...headers },
        redirect: 'manual',
      })
      const location = answer.headers.get('location')
      return { status: answer.status, text: await answer.text(), location }
    },
    /** Calls an address from a page of the console. */
    call: (
      method: string,
      path: string,
      json?: object,
      headers: Readonly<Record<string, string>> = {},
    ) =>
      callJson(`${shared.file.consoleUrl}${path}`, {
        method,
        json,
        headers: { cookie, origin: shared.file.consoleUrl, ...headers },
      }),
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
      const headers = { ...session, origin: file.consoleUrl }
      const answer = await send(`${file.consoleUrl}${path}`, { headers, json })
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

/**
 * Checks the open page of the console for each kind of reader: in both languages, on a phone and on
 * a desktop, light and dark. It must be accessible and must not scroll sideways.
 */
export async function expectReadable(page: Page): Promise<void> {
  for (const language of ['es', 'en']) {
    const address = new URL(page.url())
    address.searchParams.set('lang', language)
    await page.goto(address.href)
    for (const width of [390, 1280]) {
      await page.setViewport({ width, height: 800 })
      for (const value of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
        const reader = [address.pathname, language, width, value]
        const problems = await findAccessibilityProblems(page)
        expect([...reader, problems]).toEqual([...reader, []])
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect([...reader, isTooWide]).toEqual([...reader, false])
      }
    }
  }
}

const mostStops = 120

/** Moves the focus by the Tab key to the element; it must show the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(`(() => {
      const element = document.activeElement
      if (!element?.matches(${JSON.stringify(selector)})) return undefined
      return { isShown: getComputedStyle(element).outlineStyle !== 'none' }
    })()`)
    if (focused === undefined) continue
    expect([selector, focused]).toEqual([selector, { isShown: true }])
    return
  }
  throw new Error(`${mostStops} tab stops do not include ${selector}`)
}

/** Returns to the tab of a page, which then looks for changes without waiting four seconds. */
export const returnTo = (page: Page): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

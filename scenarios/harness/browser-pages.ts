import type { Browser, BrowserContext, HTTPRequest, Page } from 'puppeteer-core'

export interface TakeScreenshotOptions {
  /** The whole page, including what is only visible after scrolling. */
  readonly fullPage?: boolean
}

/**
 * Takes an image of a page; as WebP, a quarter of the size of PNG, because a report contains many.
 */
export function takeScreenshot(
  page: Page,
  { fullPage = false }: TakeScreenshotOptions = {},
): Promise<Uint8Array> {
  return page.screenshot({ type: 'webp', quality: 80, fullPage })
}

interface OpenPageOptions {
  /**
   * Address of a relying party that the scenario plays itself: a navigation to it is intercepted in
   * the browser, so that no server needs to listen there.
   */
  readonly redirectUri?: string
}

interface OpenedPage {
  readonly page: Page
  /** Fulfilled with the full address once the browser is redirected to the redirect URI. */
  readonly redirected: Promise<URL>
}

/** Pages of one scenario, which share cookies only with each other. */
export interface BrowserPages {
  open(options?: OpenPageOptions): Promise<OpenedPage>
  /** Images of the open pages, as WebP; pages that can no longer be captured are omitted. */
  takeScreenshots(): Promise<readonly Uint8Array[]>
  close(): Promise<void>
}

// Less than a scenario's own limit, so that a failure says what was awaited.
const pageLimitMilliseconds = 10_000

const isAt = (url: URL, redirectUri: string) => {
  const { origin, pathname } = new URL(redirectUri)
  return url.origin === origin && url.pathname === pathname
}

/**
 * Opens pages in a browser that starts on first use. Each request of a page carries the scenario's
 * tag.
 */
export function createBrowserPages(
  browser: () => Promise<Browser>,
  scenarioId: () => string,
): BrowserPages {
  let context: Promise<BrowserContext> | undefined
  const opened: Page[] = []

  function intercept(request: HTTPRequest, redirectUri: string | undefined): URL | undefined {
    const url = URL.parse(request.url())
    if (url && redirectUri !== undefined && isAt(url, redirectUri)) {
      const body = '<!doctype html><title>Relying party</title><p>Back at the relying party.'
      void request.respond({ status: 200, contentType: 'text/html', body }).catch(() => {})
      return url
    }
    const headers = { ...request.headers(), 'x-scenario-id': scenarioId() }
    // A page that closes meanwhile aborts its requests.
    void request.continue({ headers }).catch(() => {})
    return undefined
  }

  return {
    async open({ redirectUri } = {}) {
      context ??= browser().then((started) => started.createBrowserContext())
      const page = await (await context).newPage()
      opened.push(page)
      page.setDefaultTimeout(pageLimitMilliseconds)
      await page.setViewport({ width: 900, height: 900 })
      await page.setRequestInterception(true)
      const { promise: redirected, resolve } = Promise.withResolvers<URL>()
      page.on('request', (request) => {
        const caught = intercept(request, redirectUri)
        if (caught !== undefined) resolve(caught)
      })
      return { page, redirected }
    },
    async takeScreenshots() {
      const taken = opened
        .filter((page) => !page.isClosed())
        .map((page) => takeScreenshot(page).catch(() => undefined))
      return (await Promise.all(taken)).filter((image) => image !== undefined)
    },
    async close() {
      await (await context?.catch(() => undefined))?.close().catch(() => {})
    },
  }
}

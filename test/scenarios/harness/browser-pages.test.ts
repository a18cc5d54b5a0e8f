import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowserPages } from '#scenarios/harness/browser-pages.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'

const seen: { url: string; headers: IncomingHttpHeaders }[] = []

// Nothing listens on the port of the redirect URI.
const redirectUri = 'http://127.0.0.1:9/callback'
const server = createServer((request, response) => {
  seen.push({ url: request.url ?? '', headers: request.headers })
  if (request.url === '/login') {
    return response.writeHead(302, { location: `${redirectUri}?code=abc&state=xyz` }).end()
  }
  return response
    .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=1' })
    .end('<title>A page</title>')
})

let browser: Browser
let origin: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  server.close()
})

describe('createBrowserPages', () => {
  it('catches the way back to the relying party, which listens nowhere', async () => {
    const pages = createBrowserPages(
      async () => browser,
      () => 'a@1:1',
    )
    const { page, redirected } = await pages.open({ redirectUri })
    await page.goto(`${origin}/login`)
    const address = await redirected
    expect(Object.fromEntries(address.searchParams)).toEqual({ code: 'abc', state: 'xyz' })
    expect(address.origin + address.pathname).toBe(redirectUri)
    await pages.close()
  })

  it('tags each request with the step under way', async () => {
    let step = 1
    const pages = createBrowserPages(
      async () => browser,
      () => `tagged@1:${step}`,
    )
    const { page } = await pages.open()
    await page.goto(`${origin}/one`)
    step = 2
    await page.goto(`${origin}/two`)
    await pages.close()
    const tags = seen
      .filter(({ url }) => url === '/one' || url === '/two')
      .map(({ headers }) => headers['x-scenario-id'])
    expect(tags).toEqual(['tagged@1:1', 'tagged@1:2'])
  })

  it('shares cookies within a scenario and with no other', async () => {
    const [one, other] = ['one@1:1', 'other@1:1'].map((tag) =>
      createBrowserPages(
        async () => browser,
        () => tag,
      ),
    )
    for (const [pages, path] of [
      [one, '/first'],
      [one, '/again'],
      [other, '/apart'],
    ] as const) {
      await (await pages?.open())?.page.goto(`${origin}${path}`)
    }
    await one?.close()
    await other?.close()
    const cookieAt = (path: string) => seen.find(({ url }) => url === path)?.headers.cookie
    expect([cookieAt('/first'), cookieAt('/again'), cookieAt('/apart')]).toEqual([
      undefined,
      'session=1',
      undefined,
    ])
  })

  it('starts no browser for a scenario that opens no page', async () => {
    const pages = createBrowserPages(
      () => Promise.reject(new Error('started')),
      () => 'a@1:1',
    )
    await pages.close()
  })

  it('takes screenshots of the pages that are still open', async () => {
    const pages = createBrowserPages(
      async () => browser,
      () => 'a@1:1',
    )
    expect(await pages.takeScreenshots()).toEqual([])
    const [first] = [await pages.open(), await pages.open()]
    await first.page.close()
    const images = await pages.takeScreenshots()
    // RIFF container, WebP: https://developers.google.com/speed/webp/docs/riff_container
    const kinds = images.map((bytes) => Buffer.from(bytes).toString('latin1', 0, 12))
    expect(kinds).toEqual([expect.stringMatching(/^RIFF[\s\S]{4}WEBP$/)])
    await pages.close()
  })
})

import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { createBrowserPages } from '#scenarios/harness/browser-pages.ts'
import { readTar } from '#scenarios/harness/bundled-browser.ts'
import { findInstalledBrowser, launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { listenOn } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const link = `openid4vp://?request_uri=${encodeURIComponent('http://127.0.0.1:4007/requests/a1b2c3d4e5f6')}`

const page = `<!doctype html>
<title>Log in</title>
<body style="font-family: sans-serif; background: #eef">
  <h1>Scan this with your wallet</h1>
  <p>Three squares of another kind: ■ ■ ■</p>
  <div style="display: flex; gap: 40px">
    <div style="width: 300px; border: 5px solid black; padding: 10px">A box next to the code</div>
    <img src="/qr.png" width="240" height="240" alt="QR code">
  </div>
</body>`

const server = createServer((request, response) => {
  const isImage = request.url === '/qr.png'
  response.setHeader('content-type', isImage ? 'image/png' : 'text/html; charset=utf-8')
  response.end(isImage ? createQrPng(link) : page)
})

let browser: Browser
let address: string

beforeAll(async () => {
  address = `${await listenOn(server)}/`
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  server.close()
})

describe('launchBrowser', () => {
  it.each([
    { width: 800, height: 600, deviceScaleFactor: 1 },
    { width: 1280, height: 900, deviceScaleFactor: 2 },
    { width: 640, height: 480, deviceScaleFactor: 1.25 },
  ])('shows a page whose QR code the wallet reads from the screenshot %o', async (viewport) => {
    const tab = await browser.newPage()
    await tab.setViewport(viewport)
    await tab.goto(address)
    expect(await tab.title()).toBe('Log in')
    const screenshot = await tab.screenshot()
    await tab.close()
    expect(readQrPng(screenshot)).toEqual({ ok: true, text: link })
  })

  it('says where the bundled browser cannot be unpacked', async ({ skip }) => {
    if (process.platform !== 'linux' || process.arch !== 'x64') skip('no browser is bundled here')
    const options = { prefer: 'bundled', folder: '/dev/null/browser' } as const
    await expect(launchBrowser(options)).rejects.toMatchObject({
      code: 'browser_not_unpacked',
      hints: [expect.stringContaining('TMPDIR')],
    })
  })

  it('names the browser that did not start', async () => {
    await expect(launchBrowser({ executablePath: '/bin/false' })).rejects.toMatchObject({
      code: 'browser_did_not_start',
      hints: expect.arrayContaining([expect.stringContaining('PUPPETEER_EXECUTABLE_PATH')]),
    })
  })
})

describe('findInstalledBrowser', () => {
  it('finds executable files, in the given order of folders', async () => {
    const folder = createTemporaryFolder()
    const browser = join(folder, 'chromium')
    await writeFile(browser, '#!/bin/sh\n', { mode: 0o600 })
    expect(await findInstalledBrowser({ path: folder })).not.toBe(browser)
    await chmod(browser, 0o700)
    expect(await findInstalledBrowser({ path: `/nowhere:${folder}` })).toBe(browser)
  })
})

/** One ustar entry: POSIX.1-1988, header of 512 bytes, body padded to the next 512. */
function entry(path: string, { type = '0', body = '', prefix = '' } = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('0000644\0', 100)
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  const padded = Buffer.alloc(Math.ceil(body.length / 512) * 512)
  padded.write(body)
  return Buffer.concat([header, padded])
}

const end = Buffer.alloc(1024)

describe('readTar', () => {
  it('returns files with their modes, and skips folders and links', () => {
    const archive = Buffer.concat([
      entry('fonts/', { type: '5' }),
      entry('fonts/a.ttf', { body: 'x'.repeat(513) }),
      entry('b.ttf', { body: 'y', prefix: 'long/path' }),
      entry('link', { type: '2' }),
      end,
    ])
    const files = readTar(archive)
    expect(files.map(({ path, mode, body }) => [path, mode, body.length])).toEqual([
      ['fonts/a.ttf', 0o644, 513],
      ['long/path/b.ttf', 0o644, 1],
    ])
  })

  it.each(['/etc/passwd', '../outside', 'fonts/../../outside'])('rejects %s', (path) => {
    expect(() => readTar(Buffer.concat([entry(path), end]))).toThrow(TypeError)
  })
})

describe('createBrowserPages', () => {
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
    origin = await listenOn(server)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  it('catches the redirect to the relying party, which has no server', async () => {
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

  it('tags each request with the current step', async () => {
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

  it('shares cookies within a scenario but not between scenarios', async () => {
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

  it('does not start a browser for a scenario without pages', async () => {
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

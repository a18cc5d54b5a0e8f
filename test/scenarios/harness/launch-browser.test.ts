import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { findInstalledBrowser, launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'

const link = `openid4vp://?request_uri=${encodeURIComponent('http://127.0.0.1:4007/requests/a1b2c3d4e5f6')}`

const page = `<!doctype html>
<title>Log in</title>
<body style="font-family: sans-serif; background: #eef">
  <h1>Scan this with your wallet</h1>
  <p>Three squares of another kind: ■ ■ ■</p>
  <div style="display: flex; gap: 40px">
    <div style="width: 300px; border: 5px solid black; padding: 10px">A box beside the code</div>
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await launchBrowser()
}, 60_000)

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

  it('names the browser that did not start', async () => {
    await expect(launchBrowser({ executablePath: '/bin/false' })).rejects.toMatchObject({
      code: 'browser_did_not_start',
      hints: expect.arrayContaining([expect.stringContaining('PUPPETEER_EXECUTABLE_PATH')]),
    })
  })
})

describe('findInstalledBrowser', () => {
  it('finds what is executable, in the folders given first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'browsers-'))
    const browser = join(folder, 'chromium')
    await writeFile(browser, '#!/bin/sh\n', { mode: 0o600 })
    expect(await findInstalledBrowser({ path: folder })).not.toBe(browser)
    await chmod(browser, 0o700)
    expect(await findInstalledBrowser({ path: `/nowhere:${folder}` })).toBe(browser)
    await rm(folder, { recursive: true })
  })
})

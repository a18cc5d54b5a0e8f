import { createServer } from 'node:http'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import type { Page } from 'puppeteer-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findAccessibilityProblems } from '#test/support/accessibility.ts'
import { administrator, linkOf, startLoginSystem } from '#test/support/login-system.ts'
import { openBrowser } from '#test/support/open-console.ts'
import { listenForTest } from '#test/support/servers.ts'

const browser = await openBrowser()

async function openPanel() {
  const system = await startLoginSystem()
  const context = await browser.createBrowserContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  const press = (selector: string) =>
    Promise.all([page.waitForNavigation(), page.click(selector)]).then(([response]) => response)
  const replace = async (selector: string, text: string) => {
    await page.$eval(selector, (element) => {
      ;(element as unknown as { value: string }).value = ''
    })
    await page.type(selector, text)
  }
  const open = (path: string) => page.goto(`${system.baseUrl}/admin/${path}`)
  const logIn = async () => {
    await open('')
    await page.type('#username', administrator.username)
    await page.type('#password', administrator.password)
    await press('button.primary')
  }
  return { system, page, problems, press, replace, open, logIn }
}

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent ?? '')

/** The page fits the window, and axe-core finds no problem, on a desktop and on a phone. */
async function expectReadable(page: Page) {
  for (const viewport of [
    { width: 1100, height: 800 },
    { width: 360, height: 640 },
  ]) {
    await page.setViewport(viewport)
    const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect([page.url(), overflow]).toEqual([page.url(), false])
    expect([page.url(), await findAccessibilityProblems(page)]).toEqual([page.url(), []])
  }
}

describe('the panel in a real browser', () => {
  it('creates a client for openid-client, changes its claims, explains the session and rotates the key', async () => {
    const { system, page, problems, press, replace, open, logIn } = await openPanel()
    await logIn()
    expect(new URL(page.url()).pathname).toBe('/admin/')

    await open('clients')
    await press('#new-client')
    const redirectUri = 'http://127.0.0.1:9/panel'
    await replace('#clientId', 'from-the-panel')
    await page.type('#name', 'Made <i>here</i>')
    await page.type('#redirectUris', redirectUri)
    await press('main form button.primary')
    const clientSecret = await textOf(page, '#client-secret')
    const party = { clientId: 'from-the-panel', clientSecret, redirectUri }
    const before = await (await system.logIn({ party })).finish()
    expect(before.claims()?.organization).toBe('First Organization')

    await open('mappers/openid-vp-lear')
    await page.focus('#text')
    await page.keyboard.down('Control')
    await page.keyboard.press('Home')
    await page.keyboard.up('Control')
    await page.keyboard.type('country = credentialSubject.mandate.mandator.country\n')
    await page.waitForFunction('document.getElementById("preview").textContent.includes(\'"ES"\')')
    await page.type('#text', 'broken ')
    await page.waitForFunction('document.getElementById("preview").textContent.includes("Line 2")')
    await press('button[value="save"]')
    expect(await textOf(page, '.alert')).toContain('Not saved')
    const text = await page.$eval(
      '#text',
      (element) => (element as unknown as { value: string }).value,
    )
    await replace('#text', text.replace('broken ', ''))
    await press('button[value="save"]')
    expect(await textOf(page, '.done')).toContain('Saved')

    const { login, page: shown } = await system.openLogin({ party })
    await system.present(linkOf(shown))
    const after = await login.finish((await login.browser.get(shown.url)).url)
    expect(after.claims()?.country).toBe('ES')

    await open('sessions')
    expect(await textOf(page, '.row')).toContain('Made <i>here</i>')
    await press('.row a')
    expect(await textOf(page, 'dl')).toContain('SUCCESS')
    const rules = await page.$$eval('[data-rule]', (elements) => elements.length)
    expect(rules).toBeGreaterThan(20)
    expect(await textOf(page, '#lookups')).toContain('status-list')

    await open('keys')
    await press('#rotate')
    expect(await page.$$eval('#keys > li', (elements) => elements.length)).toBe(2)
    const keys = createRemoteJWKSet(new URL(`${system.baseUrl}/accounts/jwks`))
    const fresh = await (await system.logIn({ party })).finish()
    for (const tokens of [before, after, fresh]) {
      await jwtVerify(tokens.id_token ?? '', keys, { audience: party.clientId })
    }
    const kids = [after, fresh].map(({ id_token }) => decodeProtectedHeader(id_token ?? '').kid)
    expect(kids[0]).not.toBe(kids[1])

    await press('header form button')
    expect(new URL(page.url()).pathname).toBe('/admin/login')
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/admin/login')
    // The expected rejection of the form.
    expect(problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('is readable on a desktop and on a phone, page by page (WCAG AA by axe-core)', async () => {
    const { system, page, problems, press, open, logIn } = await openPanel()
    await system.logIn()
    const login = await system.beginLogin()
    await system.present(linkOf(await login.browser.get(login.url)), { form: { state: 'x' } })
    await open('')
    await expectReadable(page)
    await logIn()
    await expectReadable(page)
    const paths =
      'clients clients/new clients/relying-party mappers mappers/openid-vp-lear sessions keys account'
    for (const path of paths.split(' ')) {
      await open(path)
      await expectReadable(page)
    }
    await open('sessions?status=FAILED')
    await press('.row a')
    await page.$$eval('details', (all) => {
      for (const each of all) each.setAttribute('open', '')
    })
    await expectReadable(page)
    await open('mappers/email')
    await page.type('#text', 'wrong ')
    await press('button[value="save"]')
    await expectReadable(page)
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    await open('sessions')
    await expectReadable(page)
    expect(problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('works without script: the button shows the preview', async () => {
    const { page, press, logIn, open, replace } = await openPanel()
    await page.setJavaScriptEnabled(false)
    await logIn()
    await open('mappers/email')
    await replace('#text', 'who = credentialSubject.mandate.mandatee.firstName')
    await press('button[value="preview"]')
    expect(await textOf(page, '#preview')).toContain('"Ana"')
  })

  it('rejects forms and framing from other origins', async () => {
    const { system, page, logIn, open, press } = await openPanel()
    await logIn()
    await open('keys')
    const { kid, token } = await page.$eval('main form', (form) => ({
      kid: form.querySelector('[name="kid"]')?.getAttribute('value'),
      token: form.querySelector('[name="csrf_token"]')?.getAttribute('value'),
    }))
    // Another port of the same host is the same site, so the browser sends the session cookie.
    // This attacker even knows the token.
    const attacker =
      await startPage(`<form method="post" action="${system.baseUrl}/admin/keys/rotate">
<input name="kid" value="${kid}"><input name="csrf_token" value="${token}">
<button id="go">Win a prize</button></form>
<iframe src="${system.baseUrl}/admin/keys"></iframe>`)
    await page.goto(attacker, { waitUntil: 'networkidle0' })
    const framed = page.frames().find((frame) => frame !== page.mainFrame())
    expect(framed?.url()).toMatch(/^chrome-error:/)
    const answer = await press('#go')
    expect(answer?.status()).toBe(403)
    await open('keys')
    expect(await page.$$eval('#keys > li', (elements) => elements.length)).toBe(1)
  })
})

/** A page of the attacker on another port. */
async function startPage(markup: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(markup)
  })
  return `${await listenForTest(server)}/`
}

import { describe, expect, it } from 'vitest'
import { itAnswersWithPages } from '#test/support/login-system.ts'
import { beginPortalLogin, portal, startTokenIssuer } from '#test/support/token-issuer.ts'

describe('the token issuer’s pages', async () => {
  const issuer = await startTokenIssuer((config) => ({
    ...config,
    brokers: [
      {
        alias: 'wallet',
        issuerUrl: 'http://127.0.0.1:9',
        clientId: 'token-issuer',
        clientSecret: 'a secret of the token issuer',
      },
    ],
  }))

  const openLoginPage = async (parameters: Record<string, string> = {}) => {
    const login = await beginPortalLogin(issuer.baseUrl, { parameters })
    return { ...(await login.browser.get(login.url)), browser: login.browser }
  }

  it('offer wallet and account, and show the name of the application', async () => {
    const page = await openLoginPage()
    expect(page.status).toBe(200)
    expect(page.text).toContain('Log in with your wallet')
    expect(page.text).toContain(portal.name)
    const { pathname } = new URL(page.url)
    expect(page.text).toContain(`action="${pathname}"`)
    expect(page.text).toContain(`/broker/wallet/login?interaction=${pathname.split('/').at(-1)}`)
  })

  it('allow no script, framing, foreign form target or foreign resource', async () => {
    const page = await openLoginPage()
    const policy = page.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      'img-src data:',
      `form-action 'self' ${new URL(portal.redirectUri).origin}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.text).not.toMatch(/<script|style=|https?:\/\//)
    const style = await fetch(`${issuer.baseUrl}/login/style.css`)
    expect(style.headers.get('content-type')).toContain('text/css')
  })

  itAnswersWithPages(issuer.baseUrl, '/token')

  it('escape their values', async () => {
    const page = await openLoginPage({ login_hint: '"><script>alert(1)</script>' })
    expect(page.text).toContain('&quot;&gt;&lt;script&gt;')
    expect(page.text).not.toContain('<script')
    const again = await page.browser.get(`${page.url}?alert=${encodeURIComponent('<b>x</b>')}`)
    expect(again.status).toBe(200)
    expect(again.text).not.toMatch(/<b>|role="alert"/)
  })

  it('are in Spanish if the application requests it, and in the language that the reader chooses', async () => {
    const page = await openLoginPage({ ui_locales: 'es en' })
    expect(page.text).toContain('<html lang="es">')
    expect(page.text).toContain('Iniciar sesión con su cartera')
    const refused = await page.browser.submit(page.url, { username: 'ana', password: 'not this' })
    expect(refused.text).toContain('El nombre de usuario o la contraseña no son correctos.')

    const [, english = ''] =
      /<a href="([^"]+)" lang="en" hreflang="en">English</.exec(refused.text) ?? []
    const chosen = await page.browser.get(new URL(english, page.url).href)
    expect([chosen.url, chosen.status]).toEqual([page.url, 200])
    expect(chosen.text).toContain('Log in with your wallet')
  })

  it.each([
    ['en', 'The application sent an invalid request.'],
    ['es', 'La aplicación ha enviado una petición no válida.'],
  ])('report an error in the language of the browser: %s', async (language, message) => {
    const headers = { accept: 'text/html', 'accept-language': language }
    const unknown = await fetch(`${issuer.baseUrl}/auth?client_id=nobody`, { headers })
    expect([unknown.status, await unknown.text()]).toEqual([
      400,
      expect.stringMatching(
        new RegExp(`<html lang="${language}">[^]*${message}[^]*invalid_client`),
      ),
    ])
    const logout = await fetch(`${issuer.baseUrl}/session/end?id_token_hint=x`, { headers })
    expect(await logout.text()).toContain(
      language === 'es' ? 'No se ha podido cerrar la sesión' : 'Logout failed',
    )
  })

  it('return 4xx for unknown sign-ins and providers', async () => {
    const get = async (path: string) => (await fetch(`${issuer.baseUrl}${path}`)).status
    expect(await get('/login/unknown')).toBe(400)
    expect(await get('/login/unknown/broker?ticket=x')).toBe(400)
    expect(await get('/broker/wallet/login')).toBe(400)
    expect(await get('/broker/wallet/login?interaction=unknown')).toBe(400)
    expect(await get('/broker/other/login?interaction=unknown')).toBe(404)
    expect(await get('/broker/wallet/endpoint?state=unknown&code=x')).toBe(400)
    expect(await get('/broker/__proto__/endpoint?state=a&state=b')).toBe(400)
    expect(await get(`/login/${'x'.repeat(5000)}`)).toBe(400)
    expect(await get('/login/%00')).toBe(400)
    expect(await get('/login/%ff')).toBe(400)
  })

  it.each([
    ['another redirect_uri', { redirect_uri: 'https://attacker.example/' }],
    ['a longer redirect_uri', { redirect_uri: `${portal.redirectUri}.attacker.example` }],
    ['an unknown client', { client_id: '<i>nobody</i>' }],
  ])('reject %s without a redirect', async (_, parameters) => {
    const { status, visited, text } = await openLoginPage(parameters)
    expect([status, visited.length]).toEqual([400, 1])
    expect(text).not.toContain('<i>')
  })
})

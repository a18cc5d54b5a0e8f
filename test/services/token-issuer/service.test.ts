import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { zTokenIssuerConfig } from '#services/token-issuer/config.ts'
import { createTokenIssuerService } from '#services/token-issuer/create-token-issuer-service.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import {
  beginPortalLogin,
  createTokenIssuerConfig,
  openPortalLogin,
  password,
  portal,
  startTokenIssuer,
} from '#test/support/token-issuer.ts'

describe('the token issuer as a service', async () => {
  const issuer = await startTokenIssuer()

  it('ignores Host and X-Forwarded-* in its discovery document', async () => {
    const { port } = new URL(issuer.baseUrl)
    const response = await new Promise<string>((resolve, reject) => {
      const headers = {
        host: 'attacker.example',
        'x-forwarded-host': 'attacker.example',
        'x-forwarded-proto': 'https',
      }
      const path = '/.well-known/openid-configuration'
      request({ port, path, headers }, (answer) => resolve(text(answer)))
        .on('error', reject)
        .end()
    })
    expect(response).not.toContain('attacker')
    expect(JSON.parse(response)).toMatchObject({
      issuer: issuer.baseUrl,
      authorization_endpoint: `${issuer.baseUrl}/auth`,
      token_endpoint: `${issuer.baseUrl}/token`,
      jwks_uri: `${issuer.baseUrl}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    })
  })

  it('sets secure cookies behind a proxy that serves its public address over HTTPS', async () => {
    const { baseUrl } = await startTokenIssuer((config) => ({
      ...config,
      baseUrl: 'https://issuer.example',
    }))
    const query = new URLSearchParams({
      client_id: portal.clientId,
      redirect_uri: portal.redirectUri,
      response_type: 'code',
      scope: 'openid',
    })
    const response = await fetch(`${baseUrl}/auth?${query}`, { redirect: 'manual' })
    expect(response.headers.getSetCookie()).not.toEqual([])
    for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; secure;/)
  })

  it('publishes only public keys', async () => {
    expect(await (await fetch(`${issuer.baseUrl}/jwks`)).json()).toEqual({
      keys: [
        {
          kty: 'RSA',
          use: 'sig',
          alg: 'RS256',
          kid: expect.any(String),
          e: 'AQAB',
          n: expect.any(String),
        },
      ],
    })
  })

  it('has health and metrics', async () => {
    const health = await fetch(`${issuer.baseUrl}/health`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
    const metrics = await fetch(`${issuer.baseUrl}/metrics`)
    expect(await metrics.text()).toContain('token_issuer_http_requests_total')
    issuer.runtime.activeFaults.add('database-down')
    expect((await fetch(`${issuer.baseUrl}/health`)).status).toBe(503)
    issuer.runtime.activeFaults.clear()
    expect((await fetch(`${issuer.baseUrl}/health`)).status).toBe(200)
  })

  it('reports all problems of its configuration together', async () => {
    const config = createTokenIssuerConfig('not an address')
    const account = { ...config.accounts[0], username: 'x', password, passwordHash: 'plain' }
    const wrong = { ...config, cookieKeys: ['short'], accounts: [account] }
    const error = await createTokenIssuerService(wrong as never, createTestRuntime()).catch(
      (e) => e,
    )
    const paths = error.issues.map(({ path }: { path: string[] }) => path.join('.'))
    expect(paths).toEqual(
      expect.arrayContaining(['baseUrl', 'cookieKeys.0', 'accounts.0.passwordHash']),
    )
  })

  it.each(['sub', 'cnf', 'constructor', 'hasOwnProperty'])(
    'rejects a mapper for the reserved claim %s',
    async (claim) => {
      const broker = { alias: 'wallet', issuerUrl: 'http://idp.example', clientId: 'a' }
      const brokers = [{ ...broker, clientSecret: 'b', mappers: { [claim]: 'email' } }]
      const config = createTokenIssuerConfig('http://issuer.example')
      const { error } = zTokenIssuerConfig.safeParse({ ...config, brokers })
      expect(error?.issues.map(({ path }) => path)).toEqual([['brokers', 0, 'mappers', claim]])
    },
  )

  it.each([
    ['nothing', ''],
    ['an unknown grant type', 'grant_type=password&username=ana'],
    ['an unknown code', 'grant_type=authorization_code&code=x&client_id=portal'],
    ['parameters twice', 'grant_type=a&grant_type=b'],
    ['bytes', '%00%ff=%'],
  ])('rejects %s at the token endpoint in the form of RFC 6749', async (_, body) => {
    const response = await fetch(`${issuer.baseUrl}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect([400, 401]).toContain(response.status)
    expect(await response.json()).toMatchObject({ error: expect.any(String) })
  })

  it('keeps key, sessions and codes after a restart', async () => {
    const databaseUrl = `sqlite:${createTemporaryFolder()}/token-issuer.sqlite`
    const runtime = createTestRuntime()
    const create = async (baseUrl: string) =>
      createTokenIssuerService({ ...createTokenIssuerConfig(baseUrl), databaseUrl }, runtime)
    let current: Awaited<ReturnType<typeof create>> | undefined
    const { baseUrl, stop } = await startService(async (url) => {
      current = await create(url)
      const app = ((req, res) => current?.app(req, res)) as NonNullable<typeof current>['app']
      return { app, close: async () => current?.close() }
    })

    const { login, page } = await openPortalLogin(baseUrl)
    const { url } = await login.browser.submit(page.url, { username: 'ana', password })
    await current?.close()
    current = await create(baseUrl)

    const { access_token: token } = await login.finish(url)
    const keys = createRemoteJWKSet(new URL(`${baseUrl}/jwks`))
    await expect(jwtVerify(token, keys)).resolves.toBeDefined()
    const again = await beginPortalLogin(baseUrl, { browser: login.browser })
    await expect(again.finish((await again.browser.get(again.url)).url)).resolves.toBeDefined()
    await stop()
  })
})

const program = join(import.meta.dirname, '../../../services/token-issuer/main.ts')

describe('the token issuer as a program', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const start = (environment: Record<string, string>) => {
    const env = { PATH: process.env.PATH ?? '', ...environment }
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }

  it('is configured by the environment and ends on SIGTERM', async () => {
    const { cookieKeys, apiKeys, clients, accounts } = createTokenIssuerConfig('')
    const child = start({
      BASE_URL: 'http://token-issuer.example',
      COOKIE_KEYS: JSON.stringify(cookieKeys),
      API_KEYS: JSON.stringify(apiKeys),
      CLIENTS: JSON.stringify(clients),
      ACCOUNTS: JSON.stringify(accounts),
      ACCESS_TOKEN_LIFETIME: '60',
    })
    const [line] = await once(createInterface(child.stderr), 'line')
    const { port } = JSON.parse(String(line)).address
    const health = await fetch(`http://127.0.0.1:${port}/health`)
    expect(await health.json()).toEqual({ status: 'ok' })
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('exits with code 2 and names every invalid variable', async () => {
    const child = start({ BASE_URL: 'nowhere', COOKIE_KEYS: '["short"]' })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect(code).toBe(2)
    for (const name of ['BASE_URL', 'COOKIE_KEYS', 'API_KEYS', 'CLIENTS', 'ACCOUNTS']) {
      expect(said).toContain(name)
    }
  })
})

import { scryptSync } from 'node:crypto'
import express from 'express'
import * as client from 'openid-client'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import type { Service } from '#kit/runtime.ts'
import {
  createHttpBrowser,
  type HttpBrowser,
  type HttpPage,
} from '#scenarios/harness/http-browser.ts'
import type { zIdpConfig } from '#services/idp/config.ts'
import { createIdpService } from '#services/idp/create-idp-service.ts'
import { createVerifierService } from '#services/verifier/create-verifier-service.ts'
import {
  createTestRuntime,
  onFinished,
  type RunningService,
  startService,
  type TestRuntime,
} from './services.ts'
import {
  createPresentationForm,
  createVerifierConfig,
  idpApiKey,
  startTrustServers,
  type VerifierInput,
  verifierApiKey,
} from './verifier.ts'

export type IdpInput = z.input<typeof zIdpConfig>

export const relyingParty = {
  clientId: 'relying-party',
  clientSecret: 'a secret of the relying party',
  // Nothing listens there: a browser in a test stops before it.
  redirectUri: 'http://127.0.0.1:9/callback',
  name: 'The <b>relying</b> party',
}
export const otherParty = {
  clientId: 'other-party',
  clientSecret: 'a secret of the other party',
  redirectUri: 'http://127.0.0.1:9/other',
}

export const administrator = { username: 'admin', password: 'a password of the administrator' }

/** Hashes a password for a configuration at little cost: most tests are not about guessing it. */
export function hashCheaply(password: string): string {
  const salt = 'c2FsdCBvZiB0aGUgdGVzdHM'
  const key = scryptSync(password, Buffer.from(salt, 'base64url'), 32, { N: 1024, r: 8, p: 1 })
  return `scrypt$1024$8$1$${salt}$${key.toString('base64url')}`
}

const passwordHash = hashCheaply(administrator.password)

export function createIdpConfig(baseUrl: string, verifierUrl: string): IdpInput {
  return {
    baseUrl,
    verifierUrl,
    verifierApiKey,
    apiKeys: [idpApiKey],
    cookieKeys: ['a cookie key of 32 characters or more'],
    admin: { username: administrator.username, passwordHash },
    clients: [relyingParty, otherParty].map(({ redirectUri, ...each }) => ({
      ...each,
      redirectUris: [redirectUri],
    })),
  }
}

/** Begins a code flow with PKCE, state and nonce, by openid-client. */
export async function beginCodeFlow(
  provider: client.Configuration,
  parameters: Readonly<Record<string, string>>,
): Promise<Pick<Login, 'url' | 'finish'>> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(provider, {
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
  return {
    url: url.href,
    finish: (callback) => client.authorizationCodeGrant(provider, new URL(callback), checks),
  }
}

/** A login by openid-client with PKCE, state and nonce, and the browser in which it continues. */
export interface Login {
  readonly url: string
  readonly browser: HttpBrowser
  readonly provider: client.Configuration
  /** Exchanges the authorization response for tokens, with all checks of openid-client. */
  finish(callbackUrl: string): ReturnType<typeof client.authorizationCodeGrant>
}

export interface LoginOptions {
  readonly party?: { clientId: string; clientSecret: string; redirectUri: string }
  readonly authentication?: (secret: string) => client.ClientAuth
  readonly parameters?: Readonly<Record<string, string>>
  readonly browser?: HttpBrowser
}

export interface PresentOptions {
  readonly holder?: ReturnType<typeof createTrustWorld>['holder']
  readonly credential?: string
  /** Members of the form that replace the valid ones. */
  readonly form?: Readonly<Record<string, string>>
}

/**
 * Running IDP and verifier over HTTP, with a trust world behind them, and a minimal wallet.
 * Ends with the test or the file.
 */
export async function startLoginSystem(
  change: (config: IdpInput) => IdpInput = (config) => config,
  runtime: TestRuntime = createTestRuntime(),
  verifierSettings: Partial<VerifierInput> = {},
) {
  const world = createTrustWorld({ now: runtime.clock.seconds() })
  const servers = await startTrustServers(world)
  let verifier: RunningService | undefined
  let idpConfig: IdpInput | undefined
  let current: Service | undefined
  const idp = await startService(async (idpUrl) => {
    verifier = await startService((url) => {
      const config = createVerifierConfig(world, servers, url, idpUrl)
      return createVerifierService({ ...config, ...verifierSettings }, runtime)
    })
    idpConfig = change(createIdpConfig(idpUrl, verifier.baseUrl))
    current = await createIdpService(idpConfig, runtime)
    const app = express()
    app.use((request, response, next) => current?.app(request, response, next))
    return { app, close: async () => current?.close() }
  })
  onFinished(async () => {
    await idp.stop()
    await verifier?.stop()
    await servers.stop()
  })

  const discover = (
    party = relyingParty as NonNullable<LoginOptions['party']>,
    authentication: (secret: string) => client.ClientAuth = client.ClientSecretBasic,
  ) =>
    client.discovery(
      new URL(idp.baseUrl),
      party.clientId,
      { id_token_signed_response_alg: 'RS256' },
      authentication(party.clientSecret),
      { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
    )

  const beginLogin = async (options: LoginOptions = {}): Promise<Login> => {
    const { party = relyingParty, authentication, parameters = {} } = options
    const provider = await discover(party, authentication)
    const flow = await beginCodeFlow(provider, {
      redirect_uri: party.redirectUri,
      scope: 'openid profile email openid-vp-lear',
      ...parameters,
    })
    const browser = options.browser ?? createHttpBrowser(['http://127.0.0.1:9/'])
    return { ...flow, browser, provider }
  }

  /** The form that a wallet posts for the request of a page's link, and its URL. */
  const createResponse = async (
    link: string,
    {
      holder = world.holder,
      credential = world.issue(world.credentialPayload(holder.did)),
      form = {},
    }: PresentOptions = {},
  ): Promise<{ url: string; body: URLSearchParams }> => {
    const requestUri = new URLSearchParams(link.slice('openid4vp://?'.length)).get('request_uri')
    const jwt = await (await fetch(requestUri ?? '')).text()
    const request = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    const body = new URLSearchParams({
      ...createPresentationForm(request, { holder, credential, now: runtime.clock.seconds() }),
      state: request.state,
      ...form,
    })
    return { url: request.response_uri, body }
  }

  /** Answers the request of a page's link with a presentation; returns the verifier's response. */
  const present = async (
    link: string,
    options?: PresentOptions,
  ): Promise<{ redirect_uri?: string }> => {
    const { url, body } = await createResponse(link, options)
    const response = await fetch(url, { method: 'POST', body })
    return (await response.json()) as { redirect_uri?: string }
  }

  return {
    get baseUrl() {
      return idp.baseUrl
    },
    runtime,
    world,
    servers,
    discover,
    beginLogin,
    /** A login up to its page. */
    async openLogin(options: LoginOptions = {}) {
      const login = await beginLogin(options)
      return { login, page: await login.browser.get(login.url) }
    },
    createResponse,
    present,
    poll: (session: string) =>
      fetch(`${idp.baseUrl}/idp/api/auth/requests?session=${encodeURIComponent(session)}`),
    /** A whole login, from the relying party back to the relying party. */
    async logIn(options: LoginOptions & PresentOptions = {}) {
      const login = await beginLogin(options)
      const page = await login.browser.get(login.url)
      await present(linkOf(page), options)
      const back = await login.browser.get(page.url)
      return { login, page, back, finish: () => login.finish(back.url) }
    },
    /** Ends the IDP and creates a new one with the same configuration; the port stays open. */
    async restartIdp() {
      await current?.close()
      current = await createIdpService(idpConfig as IdpInput, runtime)
    },
  }
}

export type LoginSystem = Awaited<ReturnType<typeof startLoginSystem>>

/** The openid4vp:// link of the page. */
export function linkOf({ text }: HttpPage): string {
  const href = /id="same-device" href="([^"]*)"/.exec(text)?.[1] ?? ''
  return href.replaceAll('&amp;', '&')
}

/** The session code of the page. */
export function sessionOf({ text }: HttpPage): string {
  return /data-session="([^"]*)"/.exec(text)?.[1] ?? ''
}

/** The state that the page shows: pending, failed, expired; undefined for other pages. */
export function stateOf({ text }: HttpPage): string | undefined {
  return /data-state="([^"]*)"/.exec(text)?.[1]
}

/** The token of a page's forms. */
function csrfTokenOf({ text }: HttpPage): string {
  return /name="csrf_token" value="([^"]*)"/.exec(text)?.[1] ?? ''
}

/** A browser at the admin panel, with the data that its forms need; not logged in yet. */
export function createPanel(
  { baseUrl }: { readonly baseUrl: string },
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  const browser = createHttpBrowser([], {}, fetch)
  let csrfToken = ''
  const get = async (path: string) => {
    const page = await browser.get(`${baseUrl}${path}`)
    csrfToken = csrfTokenOf(page) || csrfToken
    return page
  }
  const submit = (
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { origin: baseUrl },
  ) => browser.submit(`${baseUrl}${path}`, { csrf_token: csrfToken, ...form }, headers)
  return {
    get,
    /** Sends a form like a page of the panel: with its token and the panel's origin. */
    submit,
    async logIn(credentials: { username: string; password: string } = administrator) {
      await get('/admin/login')
      const page = await submit('/admin/login', credentials)
      csrfToken = csrfTokenOf(page) || csrfToken
      return page
    },
    get cookie() {
      return browser.cookiesFor(`${baseUrl}/admin/`)
    },
    get csrfToken() {
      return csrfToken
    },
  }
}

export type Panel = ReturnType<typeof createPanel>

/** The panel with an administrator logged in. */
export async function openPanel(system: { readonly baseUrl: string }): Promise<Panel> {
  const panel = createPanel(system)
  await panel.logIn()
  return panel
}

/** Declares what both identity providers answer to a browser at an address without a page. */
export function itAnswersWithPages(baseUrl: string, tokenPath: string): void {
  it.each([
    ['text/html,*/*;q=0.8', 'text/html; charset=utf-8', '<html lang="es">'],
    ['*/*', 'application/json; charset=utf-8', '"error":"not_found"'],
  ])('answer %s at an unknown address with %s', async (accept, type, content) => {
    const headers = { accept, 'accept-language': 'es' }
    const answer = await fetch(`${baseUrl}/unknown`, { headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, type])
    const text = await answer.text()
    expect(text).toContain(content)
    expect(text).toContain('not_found')
  })

  it.each([
    ['a route', '/health', 'PUT', 'GET, HEAD'],
    ['the provider', tokenPath, 'GET', 'POST'],
  ])(
    'are the answer to a browser that uses a wrong method of %s',
    async (_, path, method, allow) => {
      const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'es' }
      const answer = await fetch(`${baseUrl}${path}`, { method, headers })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toContain('No hay ninguna página en esta dirección.')
    },
  )
}

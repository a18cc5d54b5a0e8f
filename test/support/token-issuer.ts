import * as client from 'openid-client'
import type { z } from 'zod'
import type { Service } from '#kit/runtime.ts'
import { createHttpBrowser, type HttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { zTokenIssuerConfig } from '#services/token-issuer/config.ts'
import { createTokenIssuerService } from '#services/token-issuer/create-token-issuer-service.ts'
import {
  beginCodeFlow,
  hashCheaply,
  type Login,
  type LoginSystem,
  linkOf,
  startLoginSystem,
} from './login-system.ts'
import { createTestRuntime, onFinished, startService, type TestRuntime } from './services.ts'

export type TokenIssuerInput = z.input<typeof zTokenIssuerConfig>

export const portal = {
  clientId: 'portal',
  clientSecret: 'a secret that the portal keeps',
  // Nothing listens there: a browser in a test stops before it.
  redirectUri: 'http://127.0.0.1:9/callback',
  name: 'The portal',
}

export const apiKey = 'an api key for the token issuer'
export const audience = 'urn:test:issuer'
export const password = 'correct horse battery staple'

const passwordHash = hashCheaply(password)

export const power = [
  { type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] },
]

/** Configuration with two local accounts of two organizations, and one portal. */
export function createTokenIssuerConfig(baseUrl: string): TokenIssuerInput {
  return {
    baseUrl,
    audience,
    cookieKeys: ['a cookie key of 32 characters or more'],
    apiKeys: [apiKey],
    clients: [
      {
        clientId: portal.clientId,
        clientSecret: portal.clientSecret,
        redirectUris: [portal.redirectUri],
        name: portal.name,
      },
    ],
    accounts: [
      {
        username: 'ana',
        passwordHash,
        organizationIdentifier: 'VATES-A12345678',
        organization: 'First Organization',
        userIdentifier: 'EMP-1',
        email: 'ana.ruiz@first.example',
        givenName: 'Ana',
        familyName: 'Ruiz',
        power,
      },
      {
        username: 'bo',
        password,
        organizationIdentifier: 'VATES-B87654321',
        organization: 'Second Organization',
        userIdentifier: 'EMP-2',
        email: 'bo@second.example',
      },
    ],
  }
}

export interface RunningTokenIssuer {
  readonly baseUrl: string
  readonly runtime: TestRuntime
  stop(): Promise<void>
}

/** Starts a token issuer, which ends with the test or the file; `change` adapts its configuration. */
export async function startTokenIssuer(
  change: (config: TokenIssuerInput) => TokenIssuerInput = (config) => config,
  runtime = createTestRuntime(),
): Promise<RunningTokenIssuer> {
  const { baseUrl, stop } = await startService(async (url) =>
    createTokenIssuerService(change(createTokenIssuerConfig(url)), runtime),
  )
  let stopped: Promise<void> | undefined
  const stopOnce = () => {
    stopped ??= stop()
    return stopped
  }
  onFinished(stopOnce)
  return { baseUrl, runtime, stop: stopOnce }
}

/** A portal that has begun a login, by openid-client. */
export type PortalLogin = Omit<Login, 'provider'>

/** Begins a code flow with PKCE, state and nonce at the token issuer. */
export async function beginPortalLogin(
  baseUrl: string,
  {
    parameters = {},
    browser = createHttpBrowser([portal.redirectUri]),
  }: { parameters?: Record<string, string>; browser?: HttpBrowser } = {},
): Promise<PortalLogin> {
  const provider = await client.discovery(
    new URL(baseUrl),
    portal.clientId,
    { id_token_signed_response_alg: 'RS256' },
    client.ClientSecretPost(portal.clientSecret),
    { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  )
  const flow = await beginCodeFlow(provider, {
    redirect_uri: portal.redirectUri,
    scope: 'openid profile email organization',
    ...parameters,
  })
  return { ...flow, browser }
}

/** A login up to its page. */
export async function openPortalLogin(...asked: Parameters<typeof beginPortalLogin>) {
  const login = await beginPortalLogin(...asked)
  return { login, page: await login.browser.get(login.url) }
}

/** The token issuer as a client of the IDP. */
export const brokerClient = {
  clientId: 'token-issuer',
  clientSecret: 'a secret of the token issuer at the idp',
}

/**
 * A token issuer whose external identity provider is the IDP, with everything for a login there
 * (the profile: the IDP is used as an external identity provider by a token issuer). Ends with the
 * test.
 * @param databaseUrl of both
 */
export async function startPortalSystem(
  runtime = createTestRuntime(),
  databaseUrl = 'sqlite::memory:',
) {
  let system: LoginSystem | undefined
  const { baseUrl, stop } = await startService(async (issuerUrl): Promise<Service> => {
    const client = { ...brokerClient, redirectUris: [`${issuerUrl}/broker/wallet/endpoint`] }
    const started = await startLoginSystem(
      (config) => ({ ...config, databaseUrl, clients: [...(config.clients ?? []), client] }),
      runtime,
    )
    system = started
    const brokers = [{ alias: 'wallet', issuerUrl: started.baseUrl, ...brokerClient }]
    const config = createTokenIssuerConfig(issuerUrl)
    return createTokenIssuerService({ ...config, databaseUrl, brokers }, runtime)
  })
  onFinished(() => stop())

  return {
    issuerUrl: baseUrl,
    idp: system as LoginSystem,
    /** A user at the portal chooses the wallet login: the IDP's page with the QR code. */
    async openWalletLogin() {
      const login = await beginPortalLogin(baseUrl)
      const { url, text } = await login.browser.get(login.url)
      const button = /href="(\/broker\/[^"]+)"/.exec(text)?.[1] ?? ''
      const page = await login.browser.get(new URL(button, url).href)
      return { login, page, link: linkOf(page) }
    },
  }
}

import { onTestFinished } from 'vitest'
import type { Service } from '#kit/runtime.ts'
import { createTokenIssuerService } from '#services/token-issuer/create-token-issuer-service.ts'
import { createTestRuntime } from './create-test-runtime.ts'
import { type LoginSystem, linkOf, startLoginSystem } from './start-login-system.ts'
import { startService } from './start-service.ts'
import { beginPortalLogin, createTokenIssuerConfig } from './start-token-issuer.ts'

/** The token issuer as the IDP knows it. */
export const brokerClient = {
  clientId: 'token-issuer',
  clientSecret: 'a secret of the token issuer at the idp',
}

/**
 * A token issuer whose external identity provider is the IDP, with all that a login there needs
 * (document 1: the IDP is used as an external identity provider by a token issuer). Ends with the
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
    const config = await createTokenIssuerConfig(issuerUrl)
    return createTokenIssuerService({ ...config, databaseUrl, brokers }, runtime)
  })
  onTestFinished(() => stop())

  return {
    issuerUrl: baseUrl,
    idp: system as LoginSystem,
    /** Somebody at the portal presses the wallet's button: the IDP's page with the QR code. */
    async openWalletLogin() {
      const login = await beginPortalLogin(baseUrl)
      const { url, text } = await login.browser.get(login.url)
      const button = /href="(\/broker\/[^"]+)"/.exec(text)?.[1] ?? ''
      const page = await login.browser.get(new URL(button, url).href)
      return { login, page, link: linkOf(page) }
    },
  }
}

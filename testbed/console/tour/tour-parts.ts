import { parseJws } from '#core/crypto/jws.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createHttpClient, type HttpAnswer } from '#kit/create-http-client.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { eventually } from '#scenarios/harness/waiting.ts'
import { refusedByService } from '#testbed/control/errors.ts'
import {
  type EnvironmentContext,
  type RegisteredClient,
  relyingPartyOf,
} from '#testbed/services/environment-context.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'

/** The person of the tour: the representative of the first organization. */
export function protagonistOf({ organizations: [organization] }: EnvironmentContext) {
  const { givenName, familyName, email } = organization.representative
  const name = [givenName, familyName].filter(Boolean).join(' ')
  return { organization, name: name === '' ? email : name }
}

/** The portal's calls, which a real portal makes the same way. */
export interface TourPortal {
  /** Requests the representative's own credential; returns the PNG of the offer's QR code. */
  requestCredential(): Promise<Uint8Array>
  revoke(credentialId: string): Promise<void>
}

/** Calls the issuer with a Bearer token of the representative, from the token issuer. */
export function createTourPortal(context: EnvironmentContext): TourPortal {
  const { organization } = protagonistOf(context)
  const { organizationIdentifier, authorizedPowers } = organization
  async function ask(path: string, json: object): Promise<HttpAnswer> {
    const tokenIssuer = createServiceClient(context, 'token-issuer', { caller: 'portal' })
    const token = await tokenIssuer.postJson('/internal/bearer-tokens', {
      organization_identifier: organizationIdentifier,
    })
    const { access_token: accessToken } = (token.json ?? {}) as { access_token?: string }
    if (token.status !== 200) {
      throw refusedByService(token.status, token.json, 'The token issuer returned no token.')
    }
    const issuer = createHttpClient(context.runtime, {
      caller: 'portal',
      dependency: 'issuer',
      baseUrl: context.localUrls.issuer,
    })
    const authorization = `Bearer ${accessToken}`
    const answer = await issuer.postJson(`/issuance/${path}`, json, { authorization })
    if (answer.status === 200) return answer
    throw refusedByService(answer.status, answer.json, 'The issuer rejected the request.')
  }

  return {
    requestCredential: async () => (await ask('representative', { power: authorizedPowers })).bytes,
    async revoke(credentialId) {
      await ask('credential/revoke', { credential_id: credentialId })
    },
  }
}

/** A login that the testbed itself begins, in a browser without a screen. */
export interface TourLogin {
  /** The link in the QR code of the page. */
  readonly link: string
  /** Waits for the verdict and, after a success, redeems the code: the claims of the ID token. */
  finish(): Promise<
    | { readonly status: 'SUCCESS'; readonly claims: Readonly<Record<string, unknown>> }
    | { readonly status: 'FAILED' }
  >
}

const noPage = () =>
  new TestbedError({
    code: 'no_login_page',
    status: 409,
    message: 'The IDP shows no QR code. The home page of the console shows which part is down.',
  })

/** Begins a login at the example relying party. */
export async function beginTourLogin(
  context: EnvironmentContext,
  {
    state,
    tag,
    signal,
  }: { readonly state: string; readonly tag: string; readonly signal: AbortSignal },
): Promise<TourLogin> {
  const client = relyingPartyOf(context)
  const headers = { 'user-agent': 'lear-testbed/browser', 'x-scenario-id': tag }
  const browser = createHttpBrowser([client.redirectUri], headers)
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'openid openid-vp-lear',
    state,
  })
  const address = `${context.urls.idp}/accounts/authorize?${query}`
  const page = await browser.get(address).catch(() => undefined)
  const button = page && /id="same-device" href="([^"]+)"/.exec(page.text)?.[1]
  if (page === undefined || button === undefined) throw noPage()
  return {
    link: button.replaceAll('&amp;', '&'),
    finish: () =>
      eventually(
        'the verdict on the page of the IDP',
        async () => {
          const { url, text } = await browser.get(page.url)
          if (/data-state="failed"/.test(text)) return { status: 'FAILED' as const }
          if (!url.startsWith(client.redirectUri)) return undefined
          const code = new URL(url).searchParams.get('code') ?? ''
          return { status: 'SUCCESS' as const, claims: await redeem(context, client, code) }
        },
        { signal },
      ),
  }
}

/** Exchanges a code for tokens, as the relying party; returns the claims of the ID token. */
async function redeem(
  context: EnvironmentContext,
  { clientId, clientSecret, redirectUri }: RegisteredClient,
  code: string,
): Promise<Readonly<Record<string, unknown>>> {
  const idp = createHttpClient(context.runtime, {
    caller: 'relying-party',
    dependency: 'IDP',
    baseUrl: context.localUrls.idp,
  })
  const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const { status, json } = await idp.request('/accounts/token', {
    method: 'POST',
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
  })
  if (status !== 200) throw refusedByService(status, json, 'The IDP rejected the code.')
  const jws = parseJws(String((json as { id_token?: unknown }).id_token))
  return jws.ok ? jws.payload : {}
}

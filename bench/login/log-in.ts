import { createHash, randomBytes } from 'node:crypto'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { type Step, withoutSteps } from '../harness.ts'
import type { LoginSetup, LoginSystem, PresentationRequest } from './login-system.ts'

const presentation_submission = JSON.stringify(
  createPresentationSubmission({ id: 'x', queryId: 'lear_credential' }),
)

/** Our IDP at an address. */
export const ourLoginSystem = (baseUrl: string): LoginSystem => ({
  authorizationEndpoint: `${baseUrl}/accounts/authorize`,
  tokenEndpoint: `${baseUrl}/accounts/token`,
  userinfoEndpoint: `${baseUrl}/accounts/userinfo`,
  scope: 'openid profile email openid-vp-lear',
  linkOf: (page) =>
    (/id="same-device"[^>]* href="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'),
  statusUrlOf: (page) =>
    `${baseUrl}/idp/api/auth/requests?session=${/data-session="([^"]*)"/.exec(page)?.[1]}`,
  formOf: (vp_token, { state }) => ({ vp_token, presentation_submission, state }),
})

const random = () => randomBytes(16).toString('base64url')

/** A person with a wallet and a credential, at a relying party. */
export interface LoginParty {
  readonly client: LoginSetup['client']
  /** The address that userinfo returns. */
  readonly email: string
  /** Creates the wallet's presentation for a request. */
  createPresentation(request: PresentationRequest): string
}

/**
 * One complete login over HTTP: authorization request, page, the wallet's request and presentation,
 * one poll, back to the relying party, code, tokens, userinfo. Throws if a step does not end as
 * expected.
 */
export async function logIn(
  system: LoginSystem,
  party: LoginParty,
  step: Step = withoutSteps,
): Promise<void> {
  const { client } = party
  const browser = createBrowser(client.redirectUri)
  const codeVerifier = random() + random()
  const state = random()
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: system.scope,
    state,
    nonce: random(),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const page = await step('authorization request and page', () =>
    browser.get(`${system.authorizationEndpoint}?${query}`),
  )
  const requestUri = requestUriOf(system.linkOf(page.text))
  const requestJwt = await step('presentation request', async () =>
    (await fetch(requestUri)).text(),
  )
  const request = JSON.parse(Buffer.from(requestJwt.split('.')[1] ?? '', 'base64url').toString())
  const body = new URLSearchParams(system.formOf(party.createPresentation(request), request))
  await step('presentation', async () =>
    json(await fetch(request.response_uri, { method: 'POST', body })),
  )
  const { status } = await step('poll', async () =>
    json<{ status: string }>(await fetch(system.statusUrlOf(page.text))),
  )
  if (status !== 'SUCCESS') throw new Error(`the status of the login is ${status}`)

  const end = await step('return to the relying party', () => browser.get(page.url))
  const callback = new URL(end.url)
  if (callback.searchParams.get('state') !== state) throw new Error(`ended at ${callback.href}`)
  const tokens = await step('tokens', async () =>
    json<{ access_token: string; id_token: string }>(
      await fetch(system.tokenEndpoint, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: callback.searchParams.get('code') ?? '',
          redirect_uri: client.redirectUri,
          code_verifier: codeVerifier,
        }),
      }),
    ),
  )
  if (!tokens.id_token) throw new Error('there is no id_token')
  const { email } = await step('userinfo', async () =>
    json<{ email?: string }>(
      await fetch(system.userinfoEndpoint, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      }),
    ),
  )
  if (email !== party.email) throw new Error(`userinfo has the address ${email}`)
}

const requestUriOf = (link: string) =>
  new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('request_uri') ?? ''

async function json<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Keeps the cookies of one host by name and path, and follows redirects. */
function createBrowser(stopAt: string) {
  const jar = new Map<string, { readonly path: string; readonly pair: string }>()
  const get = async (url: string): Promise<{ url: string; text: string }> => {
    if (url.startsWith(stopAt)) return { url, text: '' }
    const { pathname } = new URL(url)
    const cookies = [...jar.values()].filter(({ path }) => pathname.startsWith(path))
    const response = await fetch(url, {
      headers: { accept: 'text/html', cookie: cookies.map(({ pair }) => pair).join('; ') },
      redirect: 'manual',
    })
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const path = /; *path=([^;]*)/i.exec(header)?.[1] ?? '/'
      const name = `${pair.split('=')[0]} ${path}`
      if (pair.endsWith('=')) jar.delete(name)
      else jar.set(name, { path, pair })
    }
    const text = await response.text()
    const location = response.headers.get('location')
    return location === null ? { url, text } : get(new URL(location, url).href)
  }
  return { get }
}

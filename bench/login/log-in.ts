import { createHash, randomBytes } from 'node:crypto'
import type { LoginSetup, LoginSystem, PresentationRequest } from './login-system.ts'

const random = () => randomBytes(16).toString('base64url')

export interface LoginParty {
  readonly client: LoginSetup['client']
  /** Makes the wallet's presentation for a request. */
  createPresentation(request: PresentationRequest): string
}

/**
 * One complete login over HTTP: authorization request, page, the wallet's request and presentation,
 * one poll, back to the relying party, code, tokens, userinfo. Throws where any step does not end as
 * it has to.
 */
export async function logIn(system: LoginSystem, party: LoginParty): Promise<void> {
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
  const page = await browser.get(`${system.authorizationEndpoint}?${query}`)

  await present(system, party, system.linkOf(page.text))
  const { status } = (await json(await fetch(system.statusUrlOf(page.text)))) as { status: string }
  if (status !== 'SUCCESS') throw new Error(`the login stands at ${status}`)

  const callback = new URL((await browser.get(page.url)).url)
  if (callback.searchParams.get('state') !== state) throw new Error(`ended at ${callback.href}`)
  const tokens = (await json(
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
  )) as { access_token: string; id_token: string }
  if (!tokens.id_token) throw new Error('there is no id_token')
  const claims = (await json(
    await fetch(system.userinfoEndpoint, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    }),
  )) as { email?: string }
  if (claims.email !== 'ana.ruiz@first.example') throw new Error('userinfo lacks the address')
}

async function present(system: LoginSystem, party: LoginParty, link: string): Promise<void> {
  const requestUri = new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('request_uri') ?? ''
  const requestJwt = await (await fetch(requestUri)).text()
  const request = JSON.parse(Buffer.from(requestJwt.split('.')[1] ?? '', 'base64url').toString())
  const body = new URLSearchParams(system.formOf(party.createPresentation(request), request))
  await json(await fetch(request.response_uri, { method: 'POST', body }))
}

async function json(response: Response): Promise<unknown> {
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

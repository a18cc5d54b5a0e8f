import { createHash, randomBytes } from 'node:crypto'
import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { privateKeyHexOf } from '#core/crypto/jwk.ts'
import { createSigningKey } from '#core/crypto/jws.ts'
import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { startTrustServers } from '#test/support/verifier.ts'
import { compare, type Measurement } from '../harness.ts'
import {
  type LoginSetup,
  type LoginSystem,
  type PresentationRequest,
  startSystem,
} from './login-system.ts'

const presentation_submission = JSON.stringify(
  createPresentationSubmission({ id: 'x', queryId: 'lear_credential' }),
)

/** Our IDP at an address. */
const ourLoginSystem = (baseUrl: string): LoginSystem => ({
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

/** The peer's provider at an address. */
const peerLoginSystem = (baseUrl: string): LoginSystem => ({
  authorizationEndpoint: `${baseUrl}/auth`,
  tokenEndpoint: `${baseUrl}/token`,
  userinfoEndpoint: `${baseUrl}/userinfo`,
  scope: 'openid profile email',
  linkOf: (page) => (/id="link" href="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'),
  statusUrlOf: (page) => `${baseUrl}/status/${/data-session="([^"]*)"/.exec(page)?.[1]}`,
  // The form of OpenID4VP 1.0, which oid4vc-ts requires.
  formOf: (presentation, { state }) => ({
    vp_token: JSON.stringify({ lear_credential: [presentation] }),
    state,
  }),
})

const client = {
  clientId: 'relying-party',
  clientSecret: 'a secret of the relying party',
  redirectUri: 'http://127.0.0.1:9/callback',
}
const holders = 400

/**
 * Complete logins, from the authorization request to userinfo; the peer is oidc-provider's own code
 * flow with a presentation by oid4vc-ts.
 */
export const measureLogin: Measurement = async (say) => {
  const world = createTrustWorld({ now: Math.floor(Date.now() / 1000) })
  const servers = await startTrustServers(world)
  const verifier = world.createParty('verifier')
  const setup = {
    client,
    trustUrl: servers.baseUrl,
    tirBaseUrl: world.policy.tirBaseUrl,
    credentialIssuerUrl: world.policy.credentialIssuerUrls[0] ?? '',
    rootDid: world.root.did,
    verifierKid: verifier.kid,
    verifierPrivateKey: privateKeyHexOf(verifier.privateKey),
  }
  const parties = Array.from({ length: holders }, (_, index) => createParty(world, index))
  const partyOf = (index: number) => parties[index % holders] as LoginParty
  const ours = await startSystem('ours', setup)
  const peer = await startSystem('peer', setup)
  const ourSystem = ourLoginSystem(ours.url)
  const peerSystem = peerLoginSystem(peer.url)
  try {
    return await compare(
      {
        unit: 'logins',
        ours: { name: 'ours', operation: (index) => logIn(ourSystem, partyOf(index)) },
        peer: {
          name: 'oidc-provider and oid4vc-ts',
          operation: (index) => logIn(peerSystem, partyOf(index)),
        },
        loads: [
          { concurrency: 1, operations: 40 },
          { concurrency: 8, operations: 80 },
        ],
        atLeast: 1.2,
      },
      say,
    )
  } finally {
    await Promise.all([ours.stop(), peer.stop(), servers.stop()])
  }
}

/** A person with a wallet and a credential. */
function createParty(world: ReturnType<typeof createTrustWorld>, index: number): LoginParty {
  const holder = createHolder(`holder ${index}`, 'Ed25519')
  const privateKey = createSigningKey(holder.privateKey)
  const credential = world.issue(world.credentialPayload(holder.did))
  return {
    client,
    createPresentation: ({ client_id: audience, nonce }) =>
      createVpToken({
        holderDid: holder.did,
        kid: holder.kid,
        privateKey,
        audience,
        nonce,
        credentials: [credential],
        now: Math.floor(Date.now() / 1000),
      }),
  }
}

const random = () => randomBytes(16).toString('base64url')

interface LoginParty {
  readonly client: LoginSetup['client']
  /** Creates the wallet's presentation for a request. */
  createPresentation(request: PresentationRequest): string
}

/**
 * One complete login over HTTP: authorization request, page, the wallet's request and presentation,
 * one poll, back to the relying party, code, tokens, userinfo. Throws if a step does not end as
 * expected.
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
  if (status !== 'SUCCESS') throw new Error(`the status of the login is ${status}`)

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

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kit/log.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { linkOf, sessionOf } from '#test/support/login-system.ts'
import { startTestbed, type Testbed } from '#testbed/start-testbed.ts'

// A wallet that is a web page: everything it does goes through the browser's fetch, from another
// origin than any service.

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Wallet</title>')
})

let testbed: Testbed
let pre: Environment
let browser: Browser
let page: Page

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  testbed = await startTestbed({ log: createLog({ level: 'silent' }) })
  const { pre: environment } = testbed.file.environments
  if (!environment) throw new Error('there is no environment pre')
  pre = environment
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  await page.evaluate(defineWallet)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await testbed?.close()
  server.close()
})

interface PageWallet {
  readonly did: string
  sign(header: object, payload: object): Promise<string>
}

/** Runs in the page: a holder with an Ed25519 key and a did:jwk. */
async function defineWallet() {
  type Key = Parameters<typeof crypto.subtle.exportKey>[1]
  const encode = (bytes: Uint8Array) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  const encodeJson = (value: unknown) => encode(new TextEncoder().encode(JSON.stringify(value)))
  const { publicKey, privateKey } = (await crypto.subtle.generateKey('Ed25519', false, [
    'sign',
    'verify',
  ])) as { publicKey: Key; privateKey: Key }
  const { kty, crv, x } = await crypto.subtle.exportKey('jwk', publicKey)
  const did = `did:jwk:${encodeJson({ kty, crv, x })}`
  const wallet: PageWallet = {
    did,
    async sign(header, payload) {
      const input = `${encodeJson({ alg: 'EdDSA', kid: `${did}#0`, ...header })}.${encodeJson(payload)}`
      const bytes = new TextEncoder().encode(input)
      const signature = await crypto.subtle.sign('Ed25519', privateKey, bytes)
      return `${input}.${encode(new Uint8Array(signature))}`
    },
  }
  Object.assign(globalThis, { wallet })
}

async function createOffer(members: object): Promise<string> {
  const { url, token } = testbed.file.control
  const response = await fetch(`${url}/pre/offers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(members),
  })
  return ((await response.json()) as { offer_uri: string }).offer_uri
}

/** Runs in the page: takes a credential by an offer's link. */
async function acceptOffer(link: string) {
  const { wallet } = globalThis as unknown as { wallet: PageWallet }
  // biome-ignore lint/suspicious/noExplicitAny: whatever the services answer
  const read = async (response: Response): Promise<any> => {
    const body = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return body
  }
  const { searchParams } = new URL(link)
  const offer = await read(await fetch(searchParams.get('credential_offer_uri') ?? ''))
  const issuer = offer.credential_issuer
  const metadata = await read(await fetch(`${issuer}/.well-known/openid-credential-issuer`))
  const [grant] = Object.entries<Record<string, string>>(offer.grants)
  const token = await read(
    await fetch(metadata.token_endpoint ?? `${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: grant?.[0] ?? '',
        'pre-authorized_code': grant?.[1]['pre-authorized_code'] ?? '',
      }),
    }),
  )
  const now = Math.floor(Date.now() / 1000)
  const jwt = await wallet.sign(
    { typ: 'openid4vci-proof+jwt' },
    { iss: wallet.did, aud: issuer, iat: now, nonce: token.c_nonce },
  )
  const [entry] = metadata.credentials_supported
  const answer = await read(
    await fetch(metadata.credential_endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        format: entry.format,
        types: entry.types,
        proof: { proof_type: 'jwt', jwt },
      }),
    }),
  )
  if (answer.credential !== undefined) return { credential: answer.credential as string }
  const poll = () =>
    fetch(`${issuer}/deferred_credential`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ acceptance_token: answer.acceptance_token }),
    })
  const pending = await poll()
  return { pending: pending.status, retryAfter: pending.headers.get('retry-after') }
}

/** Runs in the page: reads what its holder should know about a credential. */
async function lookUp(credential: string, didRegistryBaseUrl: string) {
  const [, payload = ''] = credential.split('.')
  const { vc } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  const did = encodeURIComponent(vc.issuer)
  const addresses = [
    `${didRegistryBaseUrl}/api/v1/identifiers/${did}`,
    vc.termsOfUse.id,
    vc.credentialStatus.statusListCredential,
    vc.credentialSchema.id,
  ]
  const answers = await Promise.all(addresses.map((address) => fetch(address)))
  return answers.map(({ status }) => status)
}

/** Runs in the page: presents the credential to who asks by the link. */
async function present(link: string, credential: string) {
  const { wallet } = globalThis as unknown as { wallet: PageWallet }
  const { searchParams } = new URL(link)
  const response = await fetch(searchParams.get('request_uri') ?? '')
  const [, payload = ''] = (await response.text()).split('.')
  const request = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  const [query] = request.dcql_query.credentials
  const now = Math.floor(Date.now() / 1000)
  const vpToken = await wallet.sign(
    { typ: 'JWT' },
    {
      iss: wallet.did,
      aud: request.client_id,
      nonce: request.nonce,
      iat: now,
      exp: now + 300,
      vp: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        verifiableCredential: [credential],
      },
    },
  )
  const submission = {
    id: crypto.randomUUID(),
    definition_id: 'dcql_query',
    descriptor_map: [
      {
        id: query.id,
        format: 'jwt_vp',
        path: '$',
        path_nested: { id: query.id, format: 'jwt_vc', path: '$.vp.verifiableCredential[0]' },
      },
    ],
  }
  const posted = await fetch(request.response_uri, {
    method: 'POST',
    body: new URLSearchParams({
      vp_token: vpToken,
      presentation_submission: JSON.stringify(submission),
      ...(request.state === undefined ? {} : { state: request.state }),
    }),
  })
  return posted.status
}

describe('a wallet in a web page of another origin', () => {
  it('takes a credential, looks up its issuer, and signs in with it', async () => {
    const { credential = '' } = await page.evaluate(
      acceptOffer,
      await createOffer({ by: 'reference' }),
    )
    expect(credential.split('.')).toHaveLength(3)
    expect(await page.evaluate(lookUp, credential, pre.didRegistryBaseUrl)).toEqual(
      Array(4).fill(200),
    )
    const { clientId, redirectUri } = pre.oidcClient
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid openid-vp-lear',
    })
    const login = await createHttpBrowser([redirectUri]).get(
      `${pre.idpBaseUrl}/accounts/authorize?${query}`,
    )
    expect(await page.evaluate(present, linkOf(login), credential)).toBe(200)
    const session = `${pre.idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(login)}`
    expect(await (await fetch(session)).json()).toEqual({ status: 'SUCCESS' })
  })

  it('polls for a deferred credential, and reads when to come again', async () => {
    const link = await createOffer({ by: 'reference', deferred_seconds: 600 })
    const { pending, retryAfter } = await page.evaluate(acceptOffer, link)
    expect(pending).toBe(202)
    expect(Number(retryAfter)).toBeGreaterThan(500)
  })

  it('reads why it was refused, and when to come back while the connector is away', async () => {
    const ask = async (issuer: string) => {
      const response = await fetch(`${issuer}/credential`, {
        method: 'POST',
        headers: { authorization: 'Bearer unknown', 'content-type': 'application/json' },
        body: '{}',
      })
      const { error } = (await response.json()) as { error: string }
      const { headers } = response
      return {
        error,
        challenge: headers.get('www-authenticate'),
        retryAfter: headers.get('retry-after'),
      }
    }
    expect(await page.evaluate(ask, pre.credentialIssuerUrl)).toEqual({
      error: 'invalid_token',
      challenge: 'Bearer error="invalid_token"',
      retryAfter: null,
    })
    const { url, token } = testbed.file.control
    const setFault = (method: string) =>
      fetch(`${url}/pre/faults/connector-down`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      })
    await page.setCacheEnabled(false)
    await setFault('PUT')
    const away = await page.evaluate(ask, pre.credentialIssuerUrl)
    await setFault('DELETE')
    expect(away).toEqual({
      error: 'temporarily_unavailable',
      challenge: null,
      retryAfter: '5',
    })
  })

  it('cannot read what is not for wallets, nor send an API key or a control token', async () => {
    const { url } = testbed.file.control
    const reads = [
      `${pre.issuerBaseUrl}/issuance/credential`,
      `${pre.issuerBaseUrl}/health`,
      `${pre.credentialIssuerUrl}/credentials/issued/x`,
      `${pre.idpBaseUrl}/admin/`,
      `${pre.verifierBaseUrl}/sessions/x`,
      `${pre.didRegistryBaseUrl}/api/v1/explorer/events`,
      `${url}/clock`,
      `${testbed.file.consoleUrl}/`,
      `${testbed.file.mail.apiUrl}/api/v2/messages`,
    ]
    const outcomes = await page.evaluate(
      (addresses) =>
        Promise.all(
          addresses.flatMap((address) =>
            [{}, { 'x-api-key': 'x' }, { authorization: 'Bearer x' }].map((headers) =>
              fetch(address, { headers: { ...headers } as Record<string, string> }).then(
                ({ status }) => `${address} answered ${status}`,
                () => 'blocked',
              ),
            ),
          ),
        ),
      reads,
    )
    expect(outcomes).toEqual(Array(reads.length * 3).fill('blocked'))
  })
})

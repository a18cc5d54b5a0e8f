import { createServer } from 'node:http'
import mailhog from 'mailhog'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { anyText } from '#test/support/any-text.ts'
import { fc } from '#test/support/fast-check.ts'
import { send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import { linkOf } from '#test/support/login-system.ts'
import {
  loginStatus,
  openLogin,
  openTestbedForTest,
  shareTestbed,
} from '#test/support/running-testbed.ts'
import { listenOn } from '#test/support/servers.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

const shared = shareTestbed()

/** Collects the credential of an offer, logs in with it, and gives how that ended. */
async function signIn(
  link: string,
  { pre = shared.pre, wallet = createWallet({ http: { allowPrivateAddresses: true } }) } = {},
): Promise<unknown> {
  const trust = environmentTrust({ environment: pre }, wallet)
  await acceptOffer(wallet, link, trust)
  const page = await openLogin(pre)
  await present(wallet, linkOf(page), trust)
  return loginStatus(pre, page)
}

describe('a wallet with a key of P-256', () => {
  const createP256Wallet = (didMethod: 'key' | 'jwk') =>
    createWallet({
      account: createAccount({ curve: 'P-256', didMethod }),
      http: { allowPrivateAddresses: true },
    })

  it('obtains a credential and logs in if holders may use ES256', async () => {
    const { pre, order } = await openTestbedForTest({
      issuance: { holderSuites: ['ES256K', 'ES256', 'EdDSA'] },
    })
    for (const didMethod of ['key', 'jwk'] as const) {
      const wallet = createP256Wallet(didMethod)
      expect(await signIn(await order(), { pre, wallet }), didMethod).toBe('SUCCESS')
    }
  })

  it('is not offered anything by default', async () => {
    const link = await shared.order()
    await expect(acceptOffer(createP256Wallet('key'), link)).rejects.toMatchObject({
      code: 'unsupported_offer',
    })
  })
})

// What the issuer accepts has to work for a login: 400, or a credential that logs in.
describe('all credentials that the issuer accepts', () => {
  let organization = ''
  beforeAll(async () => {
    organization = shared.pre.organizations[0]?.organizationIdentifier ?? ''
    const anything = { type: '*', domain: '*', function: '*', action: ['*'] }
    const json = { authorized_powers: [anything] }
    await shared.control(`/pre/organizations/${organization}`, { method: 'PUT', json })
  })

  async function request(path: string, claims: object, json: object): Promise<Response> {
    const identity = { organization_identifier: organization, claims }
    const { body } = await shared.control('/pre/bearer-tokens', { json: identity })
    return send(`${shared.pre.issuerBaseUrl}/issuance/${path}`, {
      headers: { authorization: `Bearer ${body.access_token}` },
      json,
    })
  }

  const power = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }
  const control_characters = [
    'E-1\nE-2',
    'E\u0000',
    'E\u0085',
    '\u2028',
    '\u202eE-1',
    '\ud800',
    ' ',
  ]
  const text = fc.oneof(
    anyText({ minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom(...control_characters),
    fc.integer({ min: 250, max: 300 }).map((length) => 'x'.repeat(length)),
  )
  const powers = fc.array(
    fc.record({
      type: text,
      domain: text,
      function: text,
      action: fc.array(text, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  const largePower = {
    ...power,
    action: Array.from({ length: 100 }, (_, at) => `${at}`.repeat(80)),
  }

  it('for a representative logs in', async () => {
    const claims = fc.record(
      {
        user_identifier: text,
        email: text,
        organization: text,
        given_name: text,
        family_name: text,
        name: text,
      },
      { requiredKeys: [] },
    )
    const examples: [object, object[]][] = [
      ...control_characters.map((value): [object, object[]] => [
        { user_identifier: value },
        [power],
      ]),
      [{ user_identifier: 'x'.repeat(300) }, [power]],
      [{}, Array(20).fill(largePower)],
      [{}, [power]],
    ]
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(claims, powers, async (given, requested) => {
        const answer = await request('representative', given, { power: requested })
        statuses.add(answer.status)
        expect([200, 400]).toContain(answer.status)
        if (answer.status === 200) {
          expect(await signIn(readQrPng(await answer.arrayBuffer()))).toBe('SUCCESS')
        }
      }),
      { numRuns: 40, examples: examples as never },
    )
    expect([...statuses].sort()).toEqual([200, 400])
  })

  it('for an employee logs in', async () => {
    const members = fc.record(
      { employeeId: text, firstName: text, lastName: text, power: powers },
      { requiredKeys: [] },
    )
    const inbox = mailhog({
      host: '127.0.0.1',
      port: Number(new URL(shared.file.mail.apiUrl).port),
    })
    const examples = [...control_characters, 'x'.repeat(300)].map((employeeId) => [{ employeeId }])
    const statuses = new Set<number>()
    let number = 0
    await fc.assert(
      fc.asyncProperty(members, async (given) => {
        number++
        const email = `employee-${number}@example.org`
        const answer = await request('employee', {}, { email, power: [power], ...given })
        statuses.add(answer.status)
        expect([200, 400]).toContain(answer.status)
        if (answer.status === 200) {
          const mail = await inbox.latestTo(email)
          const link = /openid-credential-offer:\S+/.exec(mail?.text ?? '')?.[0] ?? ''
          expect(await signIn(link)).toBe('SUCCESS')
        }
      }),
      { numRuns: 40, examples: examples as never },
    )
    expect([...statuses].sort()).toEqual([200, 400])
  })
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

/** Runs in the page: takes a credential by an offer's link. */
async function acceptInPage(link: string) {
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

/** Runs in the page: presents the credential to the verifier of the link. */
async function presentInPage(link: string, credential: string) {
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

// A wallet that is a web page: everything it does goes through the browser's fetch, from an
// origin that differs from every service.
describe('a wallet in a web page of another origin', () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Wallet</title>')
  })
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const { port } = new URL(await listenOn(server))
    browser = await launchBrowser()
    page = await browser.newPage()
    await page.goto(`http://localhost:${port}/`)
    await page.evaluate(defineWallet)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  it('receives a credential, looks up its issuer, and logs in with it', async () => {
    const { pre } = shared
    const { credential = '' } = await page.evaluate(
      acceptInPage,
      await shared.order({ by: 'reference' }),
    )
    expect(credential.split('.')).toHaveLength(3)
    expect(await page.evaluate(lookUp, credential, pre.didRegistryBaseUrl)).toEqual(
      Array(4).fill(200),
    )
    const login = await openLogin(pre)
    expect(await page.evaluate(presentInPage, linkOf(login), credential)).toBe(200)
    expect(await loginStatus(pre, login)).toBe('SUCCESS')
  })

  it('polls for a deferred credential, and reads Retry-After', async () => {
    const link = await shared.order({ by: 'reference', deferred_seconds: 600 })
    const { pending, retryAfter } = await page.evaluate(acceptInPage, link)
    expect(pending).toBe(202)
    expect(Number(retryAfter)).toBeGreaterThan(500)
  })

  it('reads why it was rejected, and Retry-After while the connector is unavailable', async () => {
    const { pre } = shared
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
    const setFault = (method: string) => shared.control('/pre/faults/connector-down', { method })
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

  it('cannot read what is not for wallets, or send an API key or a control token', async () => {
    const { pre } = shared
    const { control, consoleUrl, mail } = shared.file
    const reads = [
      `${pre.issuerBaseUrl}/issuance/credential`,
      `${pre.issuerBaseUrl}/health`,
      `${pre.credentialIssuerUrl}/credentials/issued/x`,
      `${pre.idpBaseUrl}/admin/`,
      `${pre.verifierBaseUrl}/sessions/x`,
      `${pre.didRegistryBaseUrl}/api/v1/explorer/events`,
      `${control.url}/clock`,
      `${consoleUrl}/`,
      `${mail.apiUrl}/api/v2/messages`,
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

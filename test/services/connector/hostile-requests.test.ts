import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeMembers, hostileBodies } from '#test/support/hostile-bodies.ts'
import {
  connectorApiKey,
  createCredentialRequestBody,
  grantType,
  type IssuanceSystem,
  makeOffer,
  openSession,
  redeem,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
let session: Awaited<ReturnType<typeof openSession>>
beforeAll(async () => {
  system = await startIssuanceSystem()
  session = await openSession(system)
})
afterAll(() => system.stop())

const key = () => ({ 'x-api-key': connectorApiKey })
const nobody = () => ({})

interface Endpoint {
  readonly path: string
  readonly headers: () => Record<string, string>
  readonly valid: Readonly<Record<string, unknown>>
  /** Bytes. Default: more than all but one of the bodies here. */
  readonly limit?: number
  /** Members that may be any text, or left out. */
  readonly lax?: boolean
}

const endpoints: readonly Endpoint[] = [
  {
    path: '/credential',
    headers: () => ({ authorization: `Bearer ${session.accessToken}` }),
    valid: createCredentialRequestBody('https://issuer.example', 'x'),
    limit: 65_536,
  },
  {
    path: '/deferred_credential',
    headers: nobody,
    valid: { acceptance_token: 'x' },
    limit: 16_384,
  },
  {
    path: '/preauth-code',
    headers: key,
    valid: { vc_names: ['OrgPortalLearCredential'], subject_id: 'x', expires_in: 60 },
    lax: true,
  },
  { path: '/credentials/issued/x/status', headers: key, valid: { status: '0x1' } },
]

const send = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) =>
  fetch(system.connector.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

async function expectRefusal(response: Response, expected: number, what: string): Promise<void> {
  const text = await response.text()
  expect([what, response.status]).toEqual([what, expected])
  expect(JSON.parse(text)).toMatchObject({
    error: expect.any(String),
    error_description: expect.any(String),
  })
  expect(text).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/)
}

describe.each(endpoints)('what $path does with input of an enemy', (endpoint) => {
  const { path, headers, valid, limit = 1_048_576, lax = false } = endpoint

  // @row 1.endpoints.1
  it.each(hostileBodies)('$name: refused', async ({ name, status = 400, headers: own, make }) => {
    const body = make(valid)
    const response = await send(path, body, { ...headers(), ...own })
    await expectRefusal(response, body.length > limit ? 413 : status, name)
  })

  it('members of the wrong type or left out: a 4xx, and never a 5xx', async () => {
    for (const { name, body } of changeMembers(valid)) {
      const response = await send(path, JSON.stringify(body), headers())
      const text = await response.text()
      expect([name, response.status >= 500]).toEqual([name, false])
      if (!lax) expect([name, response.status >= 400]).toEqual([name, true])
      expect(text).not.toMatch(/node_modules|\.ts:\d+/)
    }
  })

  it('another method, an unusual Accept, an unusual path: never a 5xx', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
      const { status } = await fetch(system.connector.baseUrl + path, { method })
      expect([method, status]).toEqual([method, 405])
    }
    for (const accept of ['', 'image/webp', '*/*;q=0', ';;,,']) {
      const { status } = await send(path, '{}', { ...headers(), accept })
      expect([accept, status]).toEqual([accept, 400])
    }
    for (const end of ['//', '/%00', '/%ff', '/..%2f', '?a[b]=c', '/x'.repeat(2000)]) {
      const { status } = await send(path + end, JSON.stringify(valid), headers())
      expect([end, status >= 500]).toEqual([end, false])
    }
  })
})

describe('what /token does with a form of an enemy', () => {
  const good = `grant_type=${encodeURIComponent(grantType)}`

  it.each([
    ['nothing', ''],
    ['no form', '{"grant_type":"x"}'],
    ['a broken escape', `${good}&pre-authorized_code=%`],
    ['bytes that are no UTF-8', `${good}&pre-authorized_code=%ff%fe`],
    ['a NUL', `${good}&pre-authorized_code=%00`],
    ['half a surrogate pair', `${good}&pre-authorized_code=%ed%a0%80`],
    ['a list', `${good}&pre-authorized_code[]=x`],
    ['an object', `${good}&pre-authorized_code[a]=x&grant_type[b]=y`],
    ['the prototype', `__proto__=x&__proto__[grant_type]=${encodeURIComponent(grantType)}`],
    ['the constructor', 'constructor=x&constructor[prototype][a]=b'],
    ['the name of a method as code', `${good}&pre-authorized_code=toString`],
    ['hundreds of members', Array.from({ length: 900 }, (_, index) => `a${index}=`).join('&')],
    ['deep brackets', `${good}&pre-authorized_code${'[a]'.repeat(500)}=x`],
    ['a code of kilobytes', `${good}&pre-authorized_code=${'x'.repeat(12_000)}`],
    ['a PIN that is none', `${good}&pre-authorized_code=x&tx_code=%00%ff`],
  ])('%s: refused with the code of an error, and no more', async (name, form) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    await expectRefusal(await send('/token', form, type), 400, name)
  })
})

describe('what can be asked for without a body', () => {
  const odd = ['%00', '%ff', '%', '..%2f..', '1%0d%0a', "'", '{}', '__proto__', 'x'.repeat(9000)]

  it('is answered below 500, whatever the path and the Accept', async () => {
    const { baseUrl } = system.connector
    for (const end of odd) {
      for (const path of [
        `/offers/${end}`,
        `/schemas/${end}`,
        `/credential-offer?preauth_code=${end}`,
        `/credential-offer?preauth_code=x&preauth_code=y&response_mode=${end}`,
      ]) {
        const headers = { ...key(), accept: 'x/y' }
        const response = await fetch(baseUrl + path, { headers })
        const text = await response.text()
        const what = path.slice(0, 80)
        expect([what, response.status >= 400 && response.status < 500]).toEqual([what, true])
        expect(text).not.toMatch(/node_modules|\.ts:\d+/)
      }
    }
    // Anything may be a subject_id, so that some of these are known by now.
    for (const end of odd) {
      const { status } = await fetch(`${baseUrl}/credentials/issued/${end}`, { headers: key() })
      expect([end, status >= 500]).toEqual([end, false])
    }
    for (const accept of ['image/webp', '*/*;q=0', ';;']) {
      const metadata = `${baseUrl}/.well-known/openid-credential-issuer`
      expect((await fetch(metadata, { headers: { accept } })).status).toBe(200)
    }
  })
})

describe('after all that', () => {
  it('offers are still made, redeemed and issued', async () => {
    const { code } = await makeOffer(system)
    const { body } = await redeem(system, code)
    const fresh = { accessToken: String(body.access_token), cNonce: String(body.c_nonce) }
    expect((await requestCredential(system, fresh)).status).toBe(200)
  })
})

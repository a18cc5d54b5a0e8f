import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeMembers, hostileBodies } from '#test/support/hostile-bodies.ts'
import {
  type IssuanceSystem,
  issuerApiKey,
  managementApiKey,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
let bearer: Record<string, string>
beforeAll(async () => {
  system = await startIssuanceSystem()
  bearer = { authorization: `Bearer ${await system.tokenIssuer.mint()}` }
})
afterAll(() => system.stop())

const key = { 'x-api-key': issuerApiKey }

interface Endpoint {
  readonly path: string
  readonly headers: () => Record<string, string>
  readonly valid: Readonly<Record<string, unknown>>
  /** Members that may be any text. */
  readonly free?: readonly string[]
  /** Members that may be left out, and of which some may be anything. */
  readonly lax?: boolean
}

const endpoints: readonly Endpoint[] = [
  { path: '/issuance/representative', headers: () => bearer, valid: { power: [power] } },
  {
    path: '/issuance/employee',
    headers: () => bearer,
    valid: { email: 'a@example.org', power: [power] },
  },
  {
    path: '/issuance/identifiers',
    headers: () => bearer,
    valid: { subject_id: 'x' },
    free: ['subject_id'],
    lax: true,
  },
  {
    path: '/issuance/credential',
    headers: () => bearer,
    valid: { organization_identifiers: ['VATES-A12345678'] },
    lax: true,
  },
  { path: '/issuance/credential/revoke', headers: () => bearer, valid: { credential_id: 'x' } },
  {
    path: '/issuance/notifications',
    headers: () => key,
    valid: { subject_id: 'x', event: 'issued' },
  },
  { path: '/issuance/claims', headers: () => key, valid: { subject_id: 'x' } },
]

const send = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) =>
  fetch(system.issuer.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

async function expectRefusal(response: Response, expected: number, what: string): Promise<void> {
  const text = await response.text()
  expect([what, response.status]).toEqual([what, expected])
  expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(['error', 'detail']))
  expect(text).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/)
}

describe.each(endpoints)('what $path does with input of an enemy', (endpoint) => {
  const { path, headers, valid, free, lax = false } = endpoint

  // @row 1.endpoints.1
  it.each(hostileBodies)('$name: refused', async ({ name, status = 400, headers: own, make }) => {
    const response = await send(path, make(valid), { ...headers(), ...own })
    await expectRefusal(response, status, name)
  })

  it('members of the wrong type or left out: a 4xx, and never a 5xx', async () => {
    for (const { name, body } of changeMembers(valid, free)) {
      const response = await send(path, JSON.stringify(body), headers())
      const text = await response.text()
      expect([name, response.status >= 500]).toEqual([name, false])
      if (!lax) expect([name, response.status >= 400]).toEqual([name, true])
      expect(text).not.toMatch(/node_modules|\.ts:\d+/)
    }
  })

  it('credentials of the wrong kind: 401 before anything is read', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${'a.'.repeat(5000)}` },
      { authorization: 'Bearer ..' },
      { authorization: 'Bearer e30.e30.e30' },
      { authorization: `Bearer ${Buffer.from('{"alg":["RS256"]}').toString('base64url')}.e30.e30` },
      { authorization: `Bearer ${Buffer.from('null').toString('base64url')}.e30.e30` },
      { authorization: 'Bearer \u00ff\u00fe.a.b' },
      { authorization: 'Basic eDp5' },
      { 'x-api-key': '' },
      { 'x-api-key': `${issuerApiKey}x` },
      { 'x-api-key': 'constructor' },
      // The key of the one kind of endpoint opens none of the other.
      headers() === key ? bearer : key,
    ]
    for (const each of wrong) {
      const response = await send(path, '{', each)
      await expectRefusal(response, 401, JSON.stringify(each).slice(0, 80))
    }
  })

  it('another method, an unusual Accept, an unusual path: never a 5xx', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
      const { status } = await fetch(system.issuer.baseUrl + path, { method, headers: headers() })
      expect([method, status]).toEqual([method, 405])
    }
    for (const accept of ['', 'image/webp', 'text/html;q=2', '*/*;q=0', 'x'.repeat(4000), ';;,,']) {
      const response = await send(path, '{}', { ...headers(), accept })
      expect([accept, response.status]).toEqual([accept, 400])
    }
    for (const end of ['/', '//', '/%00', '/%ff', '/..%2f', '?a[b]=c', '/x'.repeat(2000)]) {
      const { status } = await send(path + end, JSON.stringify(valid), headers())
      expect([end, status >= 500]).toEqual([end, false])
    }
  })
})

describe('what can be asked for without a body', () => {
  const odd = [
    '%00',
    '%ff',
    '%',
    '..%2f..',
    '1%0d%0a',
    '-0',
    '1.0',
    '٣',
    "'",
    '{}',
    'x'.repeat(9000),
  ]

  it('is answered below 500, whatever the path and the Accept', async () => {
    const { issuer, management, mail } = system
    const paths = odd.flatMap((end) => [
      `${issuer.baseUrl}/credentials/status/${end}`,
      `${issuer.baseUrl}/swagger/assets/${end}`,
      `${management.baseUrl}/managements/organization/${end}`,
      `${mail.baseUrl}/api/v1/messages/${end}`,
      `${mail.baseUrl}/api/v1/messages/${end}/mime/part/${end}/download`,
      `${mail.baseUrl}/messages/${end}`,
      `${mail.baseUrl}/api/v2/messages?start=${end}&limit=${end}`,
      `${mail.baseUrl}/api/v2/search?kind=${end}&query=${end}`,
      `${mail.baseUrl}/api/v2/search?kind=to&kind=from&query=a`,
    ])
    for (const path of paths) {
      const response = await fetch(path, { headers: { authorization: 'Bearer x', accept: 'x/y' } })
      await response.arrayBuffer()
      expect([path.slice(0, 120), response.status >= 500]).toEqual([path.slice(0, 120), false])
    }
    for (const path of ['/health', '/metrics', '/swagger', '/credentials/status/1']) {
      for (const accept of ['image/webp', '*/*;q=0', ';;']) {
        const { status } = await fetch(issuer.baseUrl + path, { headers: { accept } })
        expect([path, accept, status]).toEqual([path, accept, 200])
      }
    }
  })

  it('nor does the management API take what it can not keep', async () => {
    const path = `${system.management.baseUrl}/stand-in/organizations`
    const put = (end: string, body: string) =>
      fetch(`${path}/${end}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-api-key': managementApiKey },
        body,
      })
    for (const end of odd) {
      const { status } = await put(end, '{"authorized_powers": []}')
      expect([end.slice(0, 40), status >= 500]).toEqual([end.slice(0, 40), false])
    }
    for (const { name, make } of hostileBodies) {
      const response = await put('X', make({ authorized_powers: null }) as string)
      expect([name, response.status >= 500]).toEqual([name, false])
    }
  })
})

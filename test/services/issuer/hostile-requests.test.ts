import { describe, expect, it } from 'vitest'
import {
  describeHostileRequests,
  expectNoFault,
  expectRefusal,
  type HostileEndpoint,
  hostileBodies,
} from '#test/support/hostile-bodies.ts'
import { send } from '#test/support/http.ts'
import {
  issuerApiKey,
  managementApiKey,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

const system = await startIssuanceSystem()
const bearer = { authorization: `Bearer ${await system.tokenIssuer.mint()}` }

const key = { 'x-api-key': issuerApiKey }

const endpoints: readonly HostileEndpoint[] = [
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

const members = ['error', 'detail']
describeHostileRequests(system.issuer.baseUrl, endpoints, members)

describe.each(endpoints)('$path without valid credentials', ({ path, headers }) => {
  it('returns 401 before it reads the body', async () => {
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
      // The key for one kind of endpoint is not valid for the other.
      headers() === key ? bearer : key,
    ]
    for (const each of wrong) {
      const response = await send(system.issuer.baseUrl + path, { body: '{', headers: each })
      const what = JSON.stringify(each).slice(0, 80)
      await expectRefusal(response, { status: 401, members, what })
    }
  })
})

describe('other requests', () => {
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

  it('get a status below 500 for any path and Accept header', async () => {
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
      await expectNoFault(response, path.slice(0, 120))
    }
    for (const path of ['/health', '/metrics', '/swagger', '/credentials/status/1']) {
      for (const accept of ['image/webp', '*/*;q=0', ';;']) {
        const { status } = await fetch(issuer.baseUrl + path, { headers: { accept } })
        expect([path, accept, status]).toEqual([path, accept, 200])
      }
    }
  })

  it('cause no error in the management API', async () => {
    const path = `${system.management.baseUrl}/stand-in/organizations`
    const put = (end: string, body: string) =>
      send(`${path}/${end}`, { method: 'PUT', headers: { 'x-api-key': managementApiKey }, body })
    for (const end of odd) {
      await expectNoFault(await put(end, '{"authorized_powers": []}'), end.slice(0, 40))
    }
    for (const { name, make } of hostileBodies) {
      await expectNoFault(await put('X', make({ authorized_powers: null }) as string), name)
    }
  })
})

import { describe, expect, it } from 'vitest'
import {
  describeHostileRequests,
  expectNoFault,
  expectRefusal,
  type HostileEndpoint,
} from '#test/support/hostile-bodies.ts'
import { send } from '#test/support/http.ts'
import {
  connectorApiKey,
  createCredentialRequestBody,
  grantType,
  openSession,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

const system = await startIssuanceSystem()
const session = await openSession(system)
const { baseUrl } = system.connector

const key = () => ({ 'x-api-key': connectorApiKey })
const nobody = () => ({})

const endpoints: readonly HostileEndpoint[] = [
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

const members = ['error', 'error_description']
describeHostileRequests(baseUrl, endpoints, members)

describe('POST /token with a hostile form', () => {
  const good = `grant_type=${encodeURIComponent(grantType)}`

  it.each([
    ['nothing', ''],
    ['no form', '{"grant_type":"x"}'],
    ['a broken escape', `${good}&pre-authorized_code=%`],
    ['bytes that are not UTF-8', `${good}&pre-authorized_code=%ff%fe`],
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
    ['an invalid PIN', `${good}&pre-authorized_code=x&tx_code=%00%ff`],
  ])('rejects %s', async (name, form) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await send(`${baseUrl}/token`, { body: form, headers: type })
    await expectRefusal(response, { status: 400, members, what: name })
  })
})

describe('a GET request', () => {
  const odd = ['%00', '%ff', '%', '..%2f..', '1%0d%0a', "'", '{}', '__proto__', 'x'.repeat(9000)]

  it('gets a status below 500 for any path and Accept header', async () => {
    for (const end of odd) {
      for (const path of [
        `/offers/${end}`,
        `/schemas/${end}`,
        `/credential-offer?preauth_code=${end}`,
        `/credential-offer?preauth_code=x&preauth_code=y&response_mode=${end}`,
      ]) {
        const headers = { ...key(), accept: 'x/y' }
        const response = await fetch(baseUrl + path, { headers })
        const what = path.slice(0, 80)
        expect([what, response.status >= 400]).toEqual([what, true])
        await expectNoFault(response, what)
      }
    }
    // Any string may be a subject_id, so the connector may already know some of these.
    for (const end of odd) {
      const response = await fetch(`${baseUrl}/credentials/issued/${end}`, { headers: key() })
      await expectNoFault(response, end)
    }
    for (const accept of ['image/webp', '*/*;q=0', ';;']) {
      const metadata = `${baseUrl}/.well-known/openid-credential-issuer`
      expect((await fetch(metadata, { headers: { accept } })).status).toBe(200)
    }
  })
})

describe('afterwards', () => {
  it('offers still work from creation to issuance', async () => {
    expect((await requestCredential(system, await openSession(system))).status).toBe(200)
  })
})

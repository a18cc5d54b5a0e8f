import { describe, expect, it } from 'vitest'
import { type Call, send } from '#test/support/http.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

const shared = shareTestbed()

async function cacheControlOf(url: string, call?: Call) {
  const answer = await send(url, { redirect: 'manual', ...call })
  const text = await answer.text()
  expect([url, answer.status, text]).toEqual([url, expect.toSatisfy((s) => s < 400), text])
  return { cacheControl: answer.headers.get('cache-control'), text }
}

const organization = () => shared.pre.organizations[0]?.organizationIdentifier ?? ''
const operator = () => ({ authorization: `Bearer ${shared.file.control.token}` })

describe('a response with a secret is not stored by caches', () => {
  it.each([
    ['/pre/bearer-tokens', () => ({ organization_identifier: organization() })],
    ['/pre/offers', () => ({ organization_identifier: organization() })],
    ['/console-links', () => ({})],
  ])('POST /control%s', async (path, json) => {
    const { url } = shared.file.control
    const answer = await cacheControlOf(`${url}${path}`, { json: json(), headers: operator() })
    expect(answer.cacheControl).toBe('no-store')
  })

  it('the link that opens the console', async () => {
    const { cacheControl } = await cacheControlOf(shared.testbed.createConsoleLink())
    expect(cacheControl).toBe('no-store')
  })

  it('the emails', async () => {
    for (const path of ['/api/v1/messages', '/api/v2/messages', '/api/v2/search?kind=to&query=a']) {
      const { cacheControl } = await cacheControlOf(`${shared.file.mail.apiUrl}${path}`)
      expect([path, cacheControl]).toEqual([path, 'no-store'])
    }
  })

  it('the credentials of an organization', async () => {
    const { body } = await shared.control('/pre/bearer-tokens', {
      json: { organization_identifier: organization() },
    })
    const { cacheControl } = await cacheControlOf(
      `${shared.pre.issuerBaseUrl}/issuance/credential`,
      {
        json: { organization_identifiers: [organization()] },
        headers: { authorization: `Bearer ${body.access_token}` },
      },
    )
    expect(cacheControl).toBe('no-store')
  })
})

describe('public content may be stored', () => {
  it('documents, metadata, keys, lists and pages of the API', async () => {
    const { pre, testbed } = shared
    const { did } = pre.trustChain.issuer
    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    const [accepted] = await acceptOffer(wallet, await shared.order(), {
      policy: { broken: 'accept' },
    })
    const [, claims = ''] = accepted?.credential.credential.split('.') ?? []
    const { vc } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const discovery = `${pre.idpBaseUrl}/.well-known/openid-configuration`
    const { jwks_uri: keys } = JSON.parse((await cacheControlOf(discovery)).text)
    const addresses = [
      `${pre.didRegistryBaseUrl}/api/v1/identifiers/${did}`,
      vc.termsOfUse.id,
      vc.credentialStatus.statusListCredential,
      `${pre.credentialIssuerUrl}/.well-known/openid-credential-issuer`,
      discovery,
      keys,
      ...testbed.addresses.flatMap(({ docsUrl }) =>
        docsUrl === undefined ? [] : [`${docsUrl}/openapi.json`],
      ),
    ]
    for (const address of addresses) {
      const { cacheControl } = await cacheControlOf(address)
      expect([address, cacheControl ?? '']).toEqual([address, expect.not.stringMatching('no-')])
    }
  })
})

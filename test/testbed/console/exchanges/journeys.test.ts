import { describe, expect, it } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { createJourneyBook } from '#testbed/console/exchanges/journeys.ts'
import { nameOfJourney } from '#testbed/console/exchanges/texts.ts'
import { createCutToken, createHop } from './create-hop.ts'

const credentialId = 'urn:uuid:58bcdc36-2f99-44ba-9f5d-8be004aa002f'
const mandate = {
  mandator: { organization: 'Almenara Logistics' },
  mandatee: { email: 'ana@test.example', firstName: 'Ana', lastName: 'Ruiz' },
}
const offer = (code: string) =>
  `openid-credential-offer://?credential_offer=${encodeURIComponent(
    JSON.stringify({ grants: { 'a:grant': { 'pre-authorized_code': code } } }),
  )}`

/** A recorded issuance: secrets are masked after eight characters. */
const issue = () => [
  createHop({
    from: 'issuer',
    method: 'POST',
    url: '/preauth-code',
    requestId: 'r-order',
    responseBody: { offer_uri: offer('R6a_xfOZ…') },
  }),
  createHop({ url: '/.well-known/openid-credential-issuer', requestId: 'r-metadata' }),
  createHop({
    method: 'POST',
    url: '/token',
    requestId: 'r-token',
    requestBody: { 'pre-authorized_code': 'R6a_xfOZ…' },
    responseBody: { c_nonce: 'H4QpPcW37RfIUWAGsIrv9NXNvxE6Wj54wPboPdAe5-M' },
  }),
  createHop({
    from: 'connector',
    to: 'issuer',
    method: 'POST',
    url: '/issuance/claims',
    requestId: 'r-credential',
    responseBody: { claims: { mandate } },
  }),
  createHop({
    method: 'POST',
    url: '/credential',
    requestId: 'r-credential',
    requestBody: {
      proof: {
        jwt: createCutToken({ nonce: 'H4QpPcW37RfIUWAGsIrv9NXNvxE6Wj54wPboPdAe5-M' }),
      },
    },
    responseBody: {
      credential: createCutToken({
        jti: credentialId,
        vc: { type: ['OrgPortalLearCredential'], credentialSubject: { mandate } },
      }),
    },
  }),
  createHop({ from: 'did-registry', to: 'chain', kind: 'chain', requestId: 'r-lookup' }),
  createHop({ to: 'did-registry', url: '/api/v1/identifiers/x', requestId: 'r-lookup' }),
]

const loginPage = '/accounts/interaction/WRHPxTKDR672H9FCS74ZcpioCtx_QHUcdrmC5CJRd4k'
const logIn = (verdict: 'SUCCESS' | 'FAILED') => [
  createHop({
    from: 'browser',
    to: 'idp',
    url: '/accounts/authorize?client_id=relying-party&state=a-state',
    status: 303,
    responseHeaders: { location: loginPage },
  }),
  createHop({
    from: 'idp',
    to: 'verifier',
    method: 'POST',
    url: '/sessions',
    requestId: 'r-page',
    responseBody: {
      session_id: '6DbsU5p974gwMIvzh-QziNBu',
      request_uri: 'http://127.0.0.1:1/requests/vOVtong1jsa61mmNJ0b-LTbS',
    },
  }),
  createHop({ from: 'browser', to: 'idp', url: loginPage, requestId: 'r-page' }),
  createHop({ from: 'browser', to: 'idp', url: '/idp/api/auth/requests?session=ZcCWdTjNOhGGq8d6' }),
  createHop({ to: 'verifier', url: '/requests/vOVtong1jsa61mmNJ0b-LTbS' }),
  createHop({
    from: 'verifier',
    to: 'idp',
    method: 'POST',
    url: '/idp/api/auth/results',
    requestId: 'r-answer',
    requestBody: { session_id: '6DbsU5p974gwMIvzh-QziNBu', status: verdict },
  }),
  createHop({
    to: 'verifier',
    method: 'POST',
    url: '/responses/vOVtong1jsa61mmNJ0b-LTbS',
    requestId: 'r-answer',
    rules: [{ rule: 'credential.status', passed: verdict === 'SUCCESS' }],
  }),
]

function journeysOf(hops: readonly Hop[]) {
  const book = createJourneyBook()
  for (const hop of hops) book.add(hop)
  return book.list().map((each) => [nameOfJourney('en', each), each.outcome, each.count] as const)
}

describe('the journeys of exchanges', () => {
  it('join an issuance by its code, its nonce and the registries that the wallet reads', () => {
    const hops = issue()
    expect(journeysOf(hops)).toEqual([['Issuance to Ana Ruiz', 'done', hops.length]])
  })

  it('join a login by its page, its session and its request', () => {
    for (const [verdict, outcome] of [
      ['SUCCESS', 'done'],
      ['FAILED', 'rejected'],
    ] as const) {
      const hops = logIn(verdict)
      expect(journeysOf(hops)).toEqual([['Login at Relying party', outcome, hops.length]])
    }
  })

  it('are separate for an issuance and the login after it', () => {
    const named = journeysOf([...issue(), ...logIn('SUCCESS')]).map(([name]) => name)
    expect(named).toEqual(['Issuance to Ana Ruiz', 'Login at Relying party'])
  })

  it('begin again when a wallet reads the metadata of an issuer', () => {
    const first = issue()
    const second = createHop({ url: '/.well-known/openid-credential-issuer', requestId: 'r-again' })
    expect(journeysOf([...first, second])).toHaveLength(2)
  })

  it('name the holder in a revocation, which contains only the credential', () => {
    const issuance = issue()
    const revocation = createHop({
      from: 'portal',
      to: 'issuer',
      method: 'POST',
      url: '/issuance/credential/revoke',
      requestId: 'r-revoke',
      requestBody: { credential_id: credentialId },
    })
    expect(journeysOf([...issuance, revocation]).at(-1)).toEqual([
      'Revocation of the credential of Ana Ruiz',
      'done',
      1,
    ])
  })

  it('contain all exchanges of a scenario, and none of another', () => {
    const run = (name: string, url: string) =>
      createHop({ scenarioId: `login/${name}/ES256K@a1:1`, url })
    const hops = [run('one', '/a'), run('two', '/b'), run('one', '/c')]
    expect(journeysOf(hops)).toEqual([
      ['Scenario login/one/ES256K', 'open', 2],
      ['Scenario login/two/ES256K', 'open', 1],
    ])
  })

  it('join what a wallet of the console marks with its login', () => {
    const hops = logIn('SUCCESS').map((hop) =>
      hop.from === 'wallet' ? { ...hop, scenarioId: 'wallet-1' } : hop,
    )
    const lookup = createHop({
      to: 'did-registry',
      url: '/api/v1/identifiers/x',
      scenarioId: 'wallet-1',
      at: Date.UTC(2030, 0),
    })
    expect(journeysOf([...hops, lookup])).toEqual([
      ['Login at Relying party', 'done', hops.length + 1],
    ])
  })

  it('become one when an exchange belongs to two, and keep the older id', () => {
    const book = createJourneyBook()
    const post = (ids: string) =>
      createHop({ from: 'portal', to: 'issuer', method: 'POST', url: ids })
    const first = book.add(post('/?code=AAAA1111…')).journey
    const second = book.add(post('/?code=BBBB2222…')).journey
    expect(second.id).not.toBe(first.id)
    const joined = book.add(post('/?code=AAAA1111…&session=BBBB2222…'))
    expect([joined.journey.id, joined.absorbed]).toEqual([first.id, [second.id]])
    expect(book.find(second.id)).toMatchObject({ id: first.id, count: 3 })
  })

  it('are separate for the wallets of two environments', () => {
    const book = createJourneyBook()
    const at = Date.UTC(2030, 0)
    const lookup = (env: string) => book.add(createHop({ to: 'tir', url: '/issuers', at }), env)
    const [inPre, inPro] = [lookup('pre').journey, lookup('pro').journey]
    expect(inPro.id).not.toBe(inPre.id)
    expect(lookup('pre').journey.id).toBe(inPre.id)
  })

  it('are named in Spanish too, and keep foreign names unchanged', () => {
    const book = createJourneyBook()
    for (const hop of issue()) book.add(hop)
    const [journey] = book.list()
    expect(journey && nameOfJourney('es', journey)).toBe('Emisión a Ana Ruiz')
  })
})

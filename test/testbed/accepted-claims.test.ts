import fc from 'fast-check'
import mailhog from 'mailhog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kit/log.ts'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { readQrPng } from '#test/support/images.ts'
import { linkOf, sessionOf } from '#test/support/login-system.ts'
import { startTestbed, type Testbed } from '#testbed/start-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

// What the issuer accepts has to work for a login: 400, or a credential that signs in.

let testbed: Testbed
let pre: Environment
let organization: string
beforeAll(async () => {
  testbed = await startTestbed({ log: createLog({ level: 'silent' }) })
  const { pre: environment } = testbed.file.environments
  if (!environment) throw new Error('there is no environment pre')
  pre = environment
  organization = pre.organizations[0]?.organizationIdentifier ?? ''
  const anything = { type: '*', domain: '*', function: '*', action: ['*'] }
  await control('PUT', `organizations/${organization}`, { authorized_powers: [anything] })
})
afterAll(() => testbed.close())

async function control(method: string, path: string, json: object): Promise<unknown> {
  const { url, token } = testbed.file.control
  const response = await fetch(`${url}/pre/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  expect(response.status).toBe(200)
  return response.json()
}

async function request(path: string, claims: object, json: object): Promise<Response> {
  const identity = { organization_identifier: organization, claims }
  const { access_token } = (await control('POST', 'bearer-tokens', identity)) as {
    access_token: string
  }
  return fetch(`${pre.issuerBaseUrl}/issuance/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
}

/** Collects the credential of an offer, signs in with it, and gives how that ended. */
async function signIn(link: string): Promise<unknown> {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const trust = environmentTrust({ environment: pre }, wallet)
  await acceptOffer(wallet, link, trust)
  const { clientId, redirectUri } = pre.oidcClient
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid openid-vp-lear',
  })
  const browser = createHttpBrowser([redirectUri])
  const page = await browser.get(`${pre.idpBaseUrl}/accounts/authorize?${query}`)
  await present(wallet, linkOf(page), trust)
  const session = `${pre.idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(page)}`
  return ((await (await fetch(session)).json()) as { status: unknown }).status
}

const power = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }
const control_characters = ['E-1\nE-2', 'E\u0000', 'E\u0085', '\u2028', '\u202eE-1', '\ud800', ' ']
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
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
const largePower = { ...power, action: Array.from({ length: 100 }, (_, at) => `${at}`.repeat(80)) }

describe('whatever the issuer accepts', () => {
  it('for a representative signs in', async () => {
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

  it('for an employee signs in', async () => {
    const members = fc.record(
      { employeeId: text, firstName: text, lastName: text, power: powers },
      { requiredKeys: [] },
    )
    const inbox = mailhog({
      host: '127.0.0.1',
      port: Number(new URL(testbed.file.mail.apiUrl).port),
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

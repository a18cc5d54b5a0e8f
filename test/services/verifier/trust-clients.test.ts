import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { FaultName } from '#kit/runtime.ts'
import { startTrapServer, type TrapServer } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  issueWithVc,
  presentCredential,
  presentToVerifier,
  type RunningVerifier,
  resignPresentation,
  startVerifier,
} from '#test/support/verifier.ts'

interface LogLine {
  readonly msg: string
  readonly level: number
  readonly sessionId?: string
  readonly unavailable?: readonly string[]
}

/** A log with lines that a test can read. */
function createLogSink() {
  const lines: LogLine[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { lines, log: pino({ level: 'info' }, stream) }
}

const health = async ({ baseUrl }: RunningVerifier) => {
  const response = await fetch(`${baseUrl}/health`)
  return [response.status, await response.json()]
}

const connected = { 'did-registry': 'connected', tir: 'connected', 'status-list': 'connected' }

const cases: readonly [string, FaultName, keyof typeof connected][] = [
  ['V44 tir-down', 'tir-down', 'tir'],
  ['V44 tir-slow', 'tir-slow', 'tir'],
  ['V45 did-registry-down', 'did-registry-down', 'did-registry'],
  ['status-list-down', 'status-list-down', 'status-list'],
]

describe('a service that does not answer', () => {
  it.each(cases)(
    '%s fails the login, and health, log and explanation report it',
    async (...given) => {
      const [, fault, service] = given
      const { lines, log } = createLogSink()
      const verifier = await startVerifier(
        (config) => ({ ...config, lookupTimeoutMilliseconds: fault === 'tir-slow' ? 300 : 5000 }),
        createTestRuntime({ log }),
      )
      expect(await health(verifier)).toEqual([
        200,
        { status: 'ok', db: 'connected', dependencies: connected },
      ])

      verifier.runtime.activeFaults.add(fault)
      expect(await health(verifier)).toEqual([
        503,
        {
          status: 'error',
          db: 'connected',
          dependencies: { ...connected, [service]: 'unavailable' },
        },
      ])
      const lost = await presentToVerifier(verifier)
      expect([lost.response.status, lost.status]).toEqual([200, 'FAILED'])
      expect(lost.explanation?.unavailable).toEqual([service])
      expect(lost.explanation?.lookups).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ service, found: false, unavailable: true }),
        ]),
      )
      expect(verifier.idp.sink.verdicts).toMatchObject([
        { session_id: lost.session.session_id, status: 'FAILED', unavailable: [service] },
      ])
      const warning = lines.find(({ unavailable }) => unavailable?.includes(service))
      expect(warning).toMatchObject({ level: 40, sessionId: lost.session.session_id })

      verifier.runtime.activeFaults.clear()
      expect((await health(verifier))[0]).toBe(200)
      expect((await verifier.inspect(lost.session)).status).toBe('FAILED')
      expect((await presentToVerifier(verifier)).status).toBe('SUCCESS')
    },
  )

  it.each([
    ['V44 a TIR', '/attributes/', 'tir'],
    ['V45 a DID registry whose chain is down', '/identifiers/', 'did-registry'],
    ['a credential issuer', '/status-lists/', 'status-list'],
  ])('counts as unavailable if %s returns 500', async (_name, part, service) => {
    const verifier = await startVerifier()
    verifier.servers.intercept = (path) =>
      path.includes(part) ? { status: 500, body: '{"error":"chain_unavailable"}' } : undefined
    const { status, explanation } = await presentToVerifier(verifier)
    expect([status, explanation?.unavailable]).toEqual(['FAILED', [service]])
    verifier.servers.intercept = (path) =>
      path.includes('/health') ? { status: 503, body: '{}' } : undefined
    expect((await health(verifier))[0]).toBe(503)
  })

  it.each([
    [
      'a DID document of another DID',
      '/identifiers/',
      (body: string) => body.replace(/"id":"did:org:uc-pre:z1..../, '"id":"did:org:uc-pre:z1XXXX'),
    ],
    [
      'a TIR answer that lacks tao',
      '/attributes/',
      (body: string) => body.replace('"tao"', '"taoo"'),
    ],
    ['an empty status list', '/status-lists/', () => ''],
    ['a list above the size limit', '/status-lists/', () => 'x'.repeat(2_000_000)],
  ])('fails the login: %s', async (_name, part, change) => {
    const verifier = await startVerifier()
    verifier.servers.intercept = (path, answer) =>
      path.includes(part) ? { status: 200, body: change(answer) } : undefined
    expect((await presentToVerifier(verifier)).status).toBe('FAILED')
  })
})

describe('the log of a verifier', () => {
  it('contains rules and session, but no secret', async () => {
    const { lines, log } = createLogSink()
    const verifier = await startVerifier(undefined, createTestRuntime({ log }))
    const won = await presentToVerifier(verifier)
    const lost = await presentToVerifier(verifier, (form) => ({ ...form, state: 'x' }))
    await verifier.post(won.request.response_uri, won.form)
    const ofSessions = lines.filter(({ sessionId }) => sessionId !== undefined)
    expect(ofSessions).toMatchObject([
      { sessionId: won.session.session_id, status: 'SUCCESS', rules: [] },
      { sessionId: lost.session.session_id, status: 'FAILED', rules: ['response.state'] },
      { sessionId: won.session.session_id, reason: expect.any(String) },
    ])
    const text = JSON.stringify(lines)
    const secrets = [
      won.form.vp_token,
      won.request.nonce,
      won.request.state,
      won.request.response_uri.split('/').at(-1),
      verifier.idp.sink.verdicts[0]?.response_code,
      verifier.world.holder.did,
      'ana.ruiz@first.example',
      ...verifier.config().apiKeys,
      verifier.config().idpApiKey,
      verifier.config().verifierPrivateKey,
    ]
    for (const secret of secrets) expect(text).not.toContain(secret)
  })
})

/** Returns a credential with a URL of the attacker, after any preparation that it requires. */
type CreateCredential = (verifier: RunningVerifier, trap: TrapServer) => string

const withTerms =
  (idOf: (verifier: RunningVerifier, trap: TrapServer) => string): CreateCredential =>
  (verifier, trap) =>
    issueWithVc(verifier.world, { termsOfUse: { id: idOf(verifier, trap) } })

const pathOf = ({ world }: RunningVerifier) =>
  `/v1/issuers/${world.issuer.did}/attributes/${world.issuer.attributeId}`

const withList =
  (urlOf: (trap: TrapServer) => string): CreateCredential =>
  ({ world }, trap) =>
    issueWithVc(world, {
      credentialStatus: {
        ...world.credentialPayload().vc.credentialStatus,
        statusListCredential: urlOf(trap),
      },
    })

/** The accreditation in the TIR, with other members and signed again by the TAO. */
const withAccreditation = (
  { world }: RunningVerifier,
  change: (payload: ReturnType<typeof world.accreditationOf>) => object,
  header: object = {},
) => {
  const { issuer, tao, sign, accreditationOf, attributeOf } = world
  const body = sign(change(accreditationOf(issuer, tao)), tao, header)
  attributeOf(issuer).attribute.body = Buffer.from(body).toString('base64url')
}

type Case = [string, string[], CreateCredential]

const redirecting = (name: string, part: string, status: number, rules: string[]): Case => [
  `${name} that redirects there`,
  rules,
  ({ servers, world }, { url }) => {
    servers.intercept = (path) =>
      path.includes(part) ? { status, body: '', location: url } : undefined
    return world.issue()
  },
]

const foreignAddresses: readonly Case[] = [
  [
    'termsOfUse: the TIR as the beginning of another name',
    ['credential.terms-of-use'],
    withTerms(
      (verifier, { host }) => `${verifier.world.policy.tirBaseUrl}.${host}${pathOf(verifier)}`,
    ),
  ],
  ['termsOfUse: a file', ['credential.terms-of-use'], withTerms(() => 'file:///etc/passwd')],
  [
    'termsOfUse: dot segments that leave the registry',
    ['credential.terms-of-use'],
    withTerms((verifier) => `${verifier.world.policy.tirBaseUrl}/v1/issuers/../../admin`),
  ],
  redirecting('a TIR', '/attributes/', 307, ['trust.attribute']),
  redirecting('a DID registry', '/identifiers/', 302, [
    'credential.issuer-document',
    'credential.issuer-key',
    'credential.signature',
    'credential.status',
    'trust.signature',
  ]),
  redirecting('a status list', '/status-lists/', 301, ['credential.status']),
  [
    'status list: the issuer as user name',
    ['credential.status'],
    withList(({ host }) => `https://issuer.example@${host}/list`),
  ],
  [
    'status list: the issuer as the beginning of another name',
    ['credential.status'],
    withList(({ host }) => `https://issuer.example.${host}/list`),
  ],
  [
    'status list: escaped dot segments',
    ['credential.status'],
    withList(() => 'https://issuer.example/status-lists/%2e%2e/%2e%2e/issuance/claims'),
  ],
  [
    'jku, x5u and x5c of a credential that another key signed',
    ['credential.signature'],
    ({ world }, { url }) =>
      world.sign(
        world.credentialPayload(),
        { kid: world.issuer.kid, privateKey: world.tao.privateKey },
        { jku: `${url}/jwks`, x5u: `${url}/x5u`, x5c: [url] },
      ),
  ],
  [
    'jku and x5u of an accreditation that another key signed',
    ['trust.signature'],
    (verifier, { url }) => {
      const { world } = verifier
      const { issuer, tao } = world
      const body = world.sign(
        world.accreditationOf(issuer, tao),
        { kid: tao.kid, privateKey: issuer.privateKey },
        { jku: url, x5u: url },
      )
      world.attributeOf(issuer).attribute.body = Buffer.from(body).toString('base64url')
      return world.issue()
    },
  ],
  [
    "an accreditation with a parent, in a registry that does not return the parent's attribute",
    ['trust.parent'],
    (verifier, { url }) => {
      const { world } = verifier
      delete world.attributeOf(world.issuer).attribute.attributeIdTao
      withAccreditation(verifier, (payload) => ({
        ...payload,
        vc: { ...payload.vc, termsOfUse: { id: `${url}${pathOf(verifier)}` } },
      }))
      return world.issue()
    },
  ],
  [
    'a TAO that is an address',
    ['trust.signature', 'trust.attribute'],
    (verifier, { url }) => {
      const { world } = verifier
      world.attributeOf(world.issuer).attribute.tao = `${url}/x`
      return world.issue()
    },
  ],
]

describe('a URL of the attacker (V46, A-29)', () => {
  it.each(foreignAddresses)('gets no request: %s', async (_name, expected, createCredential) => {
    const trap = await startTrapServer()
    const verifier = await startVerifier()
    const credential = createCredential(verifier, trap)
    const { status, rules, response } = await presentCredential(verifier, credential)
    expect([response.status, status]).toEqual([200, 'FAILED'])
    expect(rules).toEqual(expected)
    expect(trap.visits).toEqual([])
    const inside = verifier.servers.requests.map((path) => path.split('/')[1])
    expect(new Set(['api', 'trusted-issuers-registry', 'status-lists', ...inside]).size).toBe(3)
  })

  it('gets no request from the header of a presentation or from fields of the form', async () => {
    const trap = await startTrapServer()
    const verifier = await startVerifier()
    const { url } = trap
    const { status, response } = await presentToVerifier(verifier, (form) => ({
      ...resignPresentation(verifier.world, form, {}, { jku: url, x5u: url, x5c: [url] }),
      request_uri: url,
      response_uri: url,
      redirect_uri: url,
      presentation_definition_uri: url,
      client_metadata_uri: url,
    }))
    expect([status, await response.json(), trap.visits]).toEqual(['SUCCESS', {}, []])
  })
})

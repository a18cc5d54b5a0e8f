import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { FaultName } from '#kit/runtime.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { presentToVerifier, type RunningVerifier, startVerifier } from '#test/support/verifier.ts'

interface LogLine {
  readonly msg: string
  readonly level: number
  readonly sessionId?: string
  readonly unavailable?: readonly string[]
}

/** A log whose lines a test can read. */
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
    '%s fails the login closed, and health, log and explanation say so',
    async (...given) => {
      const [, fault, service] = given
      const { lines, log } = createLogSink()
      const verifier = await startVerifier(
        (config) => ({ ...config, lookupTimeoutMilliseconds: 300 }),
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

      // What failed stays failed; the next login is another one.
      verifier.runtime.activeFaults.clear()
      expect((await health(verifier))[0]).toBe(200)
      expect((await verifier.inspect(lost.session)).status).toBe('FAILED')
      expect((await presentToVerifier(verifier)).status).toBe('SUCCESS')
    },
  )

  it.each([
    ['V44 a TIR', '/attributes/', 'tir'],
    ['V45 a DID registry whose chain is down (chain-down)', '/identifiers/', 'did-registry'],
    ['a credential issuer', '/status-lists/', 'status-list'],
  ])('%s that answers 500 counts as unavailable, also in health', async (_name, part, service) => {
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
  ])('does not count in favour: %s', async (_name, part, change) => {
    const verifier = await startVerifier()
    verifier.servers.intercept = (path, answer) =>
      path.includes(part) ? { status: 200, body: change(answer) } : undefined
    expect((await presentToVerifier(verifier)).status).toBe('FAILED')
  })
})

describe('the log of a verifier', () => {
  it('names rules and session, and holds nothing that could be presented or used', async () => {
    const { lines, log } = createLogSink()
    const verifier = await startVerifier(undefined, createTestRuntime({ log }))
    const won = await presentToVerifier(verifier)
    const lost = await presentToVerifier(verifier, (form) => ({ ...form, state: 'x' }))
    await verifier.post(won.request.response_uri, won.form)
    const judged = lines.filter(({ sessionId }) => sessionId !== undefined)
    expect(judged).toMatchObject([
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

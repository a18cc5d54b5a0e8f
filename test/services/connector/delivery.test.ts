import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createCredentialRequestBody,
  type IssuanceSystem,
  type IssuanceSystemOptions,
  makeOffer,
  openSession,
  postJson,
  readIssuance,
  readRecordStatus,
  redeem,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

async function start(options?: IssuanceSystemOptions): Promise<IssuanceSystem> {
  const system = await startIssuanceSystem(options)
  onTestFinished(() => system.stop())
  return system
}

async function revoke(system: IssuanceSystem, credentialId: string): Promise<number> {
  const { status } = await postJson(
    `${system.issuer.baseUrl}/issuance/credential/revoke`,
    { credential_id: credentialId },
    { authorization: `Bearer ${await system.tokenIssuer.mint()}` },
  )
  return status
}

describe('the confirmation of an issuance', () => {
  it('comes after the delivery and is repeated until the issuer has taken it', async () => {
    const system = await start()
    system.runtime.activeFaults.add('notification-lost')
    const session = await openSession(system)
    expect((await requestCredential(system, session)).status).toBe(200)
    await vi.waitFor(async () =>
      expect(await readIssuance(system.connector.baseUrl, session.made.subjectId)).toMatchObject({
        state: 'delivered',
      }),
    )
    expect(await readRecordStatus(system, session.made.subjectId)).toBe('pending')
    system.runtime.activeFaults.delete('notification-lost')
    system.runtime.advance(60)
    await vi.waitFor(
      async () => expect(await readRecordStatus(system, session.made.subjectId)).toBe('issued'),
      { timeout: 5000 },
    )
  })

  it('does not come where the wallet hung up before the answer: it asks again and gets it', async () => {
    const gate = await openGate()
    const system = await start({ connector: { issuerUrl: gate.url } })
    gate.leadTo(system.issuer.baseUrl)
    const session = await openSession(system)
    const { baseUrl } = system.connector
    const body = JSON.stringify(createCredentialRequestBody(baseUrl, session.cNonce))
    const sent = request(`${baseUrl}/credential`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        authorization: `Bearer ${session.accessToken}`,
      },
    })
    const closed = new Promise((resolve) => sent.on('error', () => {}).on('close', resolve))
    sent.end(body)
    await gate.reached
    sent.destroy()
    await closed
    // The connector has seen the hang-up by the time it answers a later request.
    await fetch(`${baseUrl}/health`)
    gate.open()
    await vi.waitFor(async () =>
      expect(await readIssuance(system.connector.baseUrl, session.made.subjectId)).toMatchObject({
        state: 'signed',
      }),
    )
    expect(await readRecordStatus(system, session.made.subjectId)).toBe('pending')

    const refused = await requestCredential(system, session)
    expect(refused.body.error).toBe('invalid_nonce')
    const retry = { ...session, cNonce: String(refused.body.c_nonce) }
    expect((await requestCredential(system, retry)).status).toBe(200)
    await vi.waitFor(async () =>
      expect(await readRecordStatus(system, session.made.subjectId)).toBe('issued'),
    )
  })

  it('survives a restart of the connector', async () => {
    const databaseUrl = `sqlite:${createTemporaryFolder()}/connector.sqlite`
    const issuerDatabaseUrl = `sqlite:${createTemporaryFolder()}/issuer.sqlite`
    const options = { connector: { databaseUrl }, issuer: { databaseUrl: issuerDatabaseUrl } }
    const first = await startIssuanceSystem(options)
    first.runtime.activeFaults.add('notification-lost')
    const session = await openSession(first)
    expect((await requestCredential(first, session)).status).toBe(200)
    await first.stop()
    const second = await start(options)
    second.runtime.advance(60)
    await vi.waitFor(
      async () => expect(await readRecordStatus(second, session.made.subjectId)).toBe('issued'),
      { timeout: 5000 },
    )
  })
})

/** Stands before an issuer and lets requests through only once it is opened. */
async function openGate() {
  let target = ''
  let open = () => {}
  let arrive = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    arrive()
    await opened
    const answer = await fetch(target + incoming.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': String(incoming.headers['x-api-key']),
      },
      body,
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(url: string) {
      target = url
    },
    reached,
    open: () => open(),
  }
}

describe('an issuance while something is away or withdrawn', () => {
  it('the issuer does not answer: 503, and the same request works later', async () => {
    const system = await start({ connector: { issuerUrl: 'http://127.0.0.1:9' } })
    const { code } = await makeOffer(system)
    const { body } = await redeem(system, code)
    const session = { accessToken: String(body.access_token), cNonce: String(body.c_nonce) }
    for (let time = 0; time < 2; time++) {
      expect((await requestCredential(system, session)).status).toBe(503)
    }
  })

  it('a revoked record ends its open offer at once', async () => {
    const system = await start()
    const { code, credentialId, subjectId } = await makeOffer(system)
    expect(await revoke(system, credentialId)).toBe(200)
    expect((await redeem(system, code)).body.error).toBe('invalid_grant')
    expect(await readRecordStatus(system, subjectId)).toBe('revoked')
  })

  it('a record that is revoked after the token gives no credential, told or not', async () => {
    const system = await start()
    const told = await openSession(system)
    await revoke(system, told.made.credentialId)
    const untold = await openSession(system)
    system.runtime.activeFaults.add('connector-down')
    await revoke(system, untold.made.credentialId)
    for (const session of [told, untold]) {
      const answer = await requestCredential(system, session)
      expect(answer).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
    }
  })
})

describe('a wallet that asks for its credential again', () => {
  /** The same session with the c_nonce that the refusal of its spent one brings. */
  async function renew(system: IssuanceSystem, session: Awaited<ReturnType<typeof openSession>>) {
    const { body } = await requestCredential(system, session)
    expect(body.error).toBe('invalid_nonce')
    return { ...session, cNonce: String(body.c_nonce) }
  }

  it('spends each c_nonce once, ten requests at once included', async () => {
    const system = await start()
    const session = await openSession(system)
    await requestCredential(system, session)
    const renewed = await renew(system, session)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => requestCredential(system, renewed)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_nonce')).toHaveLength(9)
  })

  it('adds no confirmation to the one of the delivery', async () => {
    const path = `${createTemporaryFolder()}/connector.sqlite`
    const system = await start({ connector: { databaseUrl: `sqlite:${path}` } })
    const session = await openSession(system)
    await requestCredential(system, session)
    await vi.waitFor(async () =>
      expect(await readIssuance(system.connector.baseUrl, session.made.subjectId)).toMatchObject({
        state: 'delivered',
      }),
    )
    for (let time = 0; time < 3; time++) {
      const renewed = await renew(system, session)
      expect((await requestCredential(system, renewed)).status).toBe(200)
    }
    await system.connector.stop()
    const database = new DatabaseSync(path)
    onTestFinished(() => database.close())
    expect(database.prepare('select count(*) as count from notifications').get()).toEqual({
      count: 1,
    })
  })

  it('gets nothing once the credential is revoked', async () => {
    const system = await start()
    const session = await openSession(system)
    await requestCredential(system, session)
    const renewed = await renew(system, session)
    expect(await revoke(system, session.made.credentialId)).toBe(200)
    expect(await requestCredential(system, renewed)).toMatchObject({
      status: 400,
      body: { error: 'credential_request_denied' },
    })
  })
})

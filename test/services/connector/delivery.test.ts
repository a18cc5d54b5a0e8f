import { request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callJson } from '#test/support/http.ts'
import {
  createCredentialRequestBody,
  type IssuanceSystem,
  makeOffer,
  openSession,
  readIssuance,
  readRecordStatus,
  redeem,
  requestCredential,
  revokeCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { startAnsweringServer } from '#test/support/servers.ts'
import { createTemporaryFolder, temporaryDatabase } from '#test/support/temporary-folder.ts'

describe('the confirmation of an issuance', () => {
  it('is repeated until the issuer accepts it', async () => {
    const system = await startIssuanceSystem()
    system.runtime.activeFaults.add('notification-lost')
    const session = await openSession(system)
    expect((await requestCredential(system, session)).status).toBe(200)
    await expect
      .poll(() => readIssuance(system.connector.baseUrl, session.made.subjectId))
      .toMatchObject({
        state: 'delivered',
      })
    expect(await readRecordStatus(system, session.made.subjectId)).toBe('pending')
    system.runtime.activeFaults.delete('notification-lost')
    system.runtime.advance(60)
    await expect.poll(() => readRecordStatus(system, session.made.subjectId)).toBe('issued')
  })

  it('is not sent if the wallet disconnects before the response', async () => {
    const gate = await openGate()
    const system = await startIssuanceSystem({ connector: { issuerUrl: gate.url } })
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
    // The connector has noticed the disconnect by the time it answers a later request.
    await fetch(`${baseUrl}/health`)
    gate.open()
    await expect
      .poll(() => readIssuance(system.connector.baseUrl, session.made.subjectId))
      .toMatchObject({
        state: 'signed',
      })
    expect(await readRecordStatus(system, session.made.subjectId)).toBe('pending')

    const refused = await requestCredential(system, session)
    expect(refused.body.error).toBe('invalid_nonce')
    const retry = { ...session, cNonce: String(refused.body.c_nonce) }
    expect((await requestCredential(system, retry)).status).toBe(200)
    await expect.poll(() => readRecordStatus(system, session.made.subjectId)).toBe('issued')
  })

  it('survives a restart of the connector', async () => {
    const options = {
      connector: { databaseUrl: temporaryDatabase() },
      issuer: { databaseUrl: temporaryDatabase() },
    }
    const first = await startIssuanceSystem(options)
    first.runtime.activeFaults.add('notification-lost')
    const session = await openSession(first)
    expect((await requestCredential(first, session)).status).toBe(200)
    await first.stop()
    const second = await startIssuanceSystem(options)
    second.runtime.advance(60)
    await expect.poll(() => readRecordStatus(second, session.made.subjectId)).toBe('issued')
  })
})

/** A proxy that holds requests to an issuer until it is opened. */
async function openGate() {
  let target = ''
  const [opened, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { url } = await startAnsweringServer(async ({ path, headers, body }) => {
    reached.resolve()
    await opened.promise
    const { status, body: answer } = await callJson(target + path, {
      json: JSON.parse(body),
      headers: { 'x-api-key': String(headers['x-api-key']) },
    })
    return { status, headers: { 'content-type': 'application/json' }, body: answer }
  })
  return {
    url,
    leadTo(issuer: string) {
      target = issuer
    },
    reached: reached.promise,
    open: opened.resolve,
  }
}

describe('an issuance while a service is unavailable or the record is revoked', () => {
  it('returns 503 if the issuer does not answer', async () => {
    const system = await startIssuanceSystem({ connector: { issuerUrl: 'http://127.0.0.1:9' } })
    const session = await openSession(system)
    for (let time = 0; time < 2; time++) {
      expect((await requestCredential(system, session)).status).toBe(503)
    }
  })

  it('ends when its record is revoked', async () => {
    const system = await startIssuanceSystem()
    const { code, credentialId, subjectId } = await makeOffer(system)
    expect((await revokeCredential(system, credentialId)).status).toBe(200)
    expect((await redeem(system, code)).body.error).toBe('invalid_grant')
    expect(await readRecordStatus(system, subjectId)).toBe('revoked')
  })

  it('does not yield a credential if its record is revoked after the token', async () => {
    const system = await startIssuanceSystem()
    const notified = await openSession(system)
    await revokeCredential(system, notified.made.credentialId)
    const unnotified = await openSession(system)
    system.runtime.activeFaults.add('connector-down')
    await revokeCredential(system, unnotified.made.credentialId)
    for (const session of [notified, unnotified]) {
      const answer = await requestCredential(system, session)
      expect(answer).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
    }
  })
})

describe('a wallet that requests its credential again', () => {
  /** The same session with the fresh c_nonce from the rejection of its spent one. */
  async function renew(system: IssuanceSystem, session: Awaited<ReturnType<typeof openSession>>) {
    const { body } = await requestCredential(system, session)
    expect(body.error).toBe('invalid_nonce')
    return { ...session, cNonce: String(body.c_nonce) }
  }

  it('uses each c_nonce once, also in ten simultaneous requests', async () => {
    const system = await startIssuanceSystem()
    const session = await openSession(system)
    await requestCredential(system, session)
    const renewed = await renew(system, session)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => requestCredential(system, renewed)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_nonce')).toHaveLength(9)
  })

  it('is confirmed once', async () => {
    const path = `${createTemporaryFolder()}/connector.sqlite`
    const system = await startIssuanceSystem({ connector: { databaseUrl: `sqlite:${path}` } })
    const session = await openSession(system)
    await requestCredential(system, session)
    await expect
      .poll(() => readIssuance(system.connector.baseUrl, session.made.subjectId))
      .toMatchObject({
        state: 'delivered',
      })
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

  it('does not get the credential once it is revoked', async () => {
    const system = await startIssuanceSystem()
    const session = await openSession(system)
    await requestCredential(system, session)
    const renewed = await renew(system, session)
    expect((await revokeCredential(system, session.made.credentialId)).status).toBe(200)
    expect(await requestCredential(system, renewed)).toMatchObject({
      status: 400,
      body: { error: 'credential_request_denied' },
    })
  })
})

import { describe, expect, it } from 'vitest'
import { callJson } from '#test/support/http.ts'
import {
  createCredentialRequestBody,
  createHolder,
  issuerApiKey,
  listRecords,
  openSession,
  payloadOf,
  readIssuance,
  revokeCredential,
  startIssuanceSystem,
  type TestSession,
} from '#test/support/issuance.ts'

const first = 'OrgPortalLearCredential'
const second = 'OrgSecondCredential'
const types = [{ vcType: first }, { vcType: second }]

const system = await startIssuanceSystem({
  connector: { credentialTypes: types },
  issuer: { credentialTypes: types },
})

const openTwo = (request: { deferredSeconds?: number } = {}) =>
  openSession(system, { vcTypes: [first, second], ...request })

/** Requests one of the two credentials with the given c_nonce. */
function request(session: TestSession, vcType: string, cNonce: unknown, holder = createHolder()) {
  const { baseUrl } = system.connector
  const now = system.runtime.clock.seconds()
  return callJson(`${baseUrl}/credential`, {
    json: {
      ...createCredentialRequestBody(baseUrl, cNonce, holder, now),
      types: ['VerifiableCredential', 'LEARCredential', vcType],
    },
    headers: { authorization: `Bearer ${session.accessToken}` },
  })
}

async function readRecords(subjectId: string) {
  const records = await listRecords(system)
  return records.filter(({ subject_id }) => subject_id === subjectId).reverse()
}

const typeOf = (credential: unknown) => payloadOf(credential).vc.type.at(-1)

describe('an offer of two credential types', () => {
  it('yields a credential of each type with its own record', async () => {
    const session = await openTwo()
    expect(session.made.offer.credentials).toEqual([first, second])
    const records = await readRecords(session.made.subjectId)
    expect(records.map(({ vc_type, status }) => [vc_type, status])).toEqual([
      [first, 'pending'],
      [second, 'pending'],
    ])

    const one = await request(session, first, session.cNonce)
    expect(one.status).toBe(200)
    const two = await request(session, second, one.body.c_nonce)
    expect(two.status).toBe(200)
    expect([one, two].map(({ body }) => typeOf(body.credential))).toEqual([first, second])
    expect([one, two].map(({ body }) => payloadOf(body.credential).jti)).toEqual(
      records.map(({ credential_id }) => credential_id),
    )
    await expect
      .poll(() => readRecords(session.made.subjectId))
      .toMatchObject([{ status: 'issued' }, { status: 'issued' }])

    // The offer is exhausted: the last response has no c_nonce, but a rejection contains one.
    expect(Object.keys(two.body).sort()).toEqual(['credential', 'format'])
    for (const [vcType, before] of [
      [first, one],
      [second, two],
    ] as const) {
      const refused = await request(session, vcType, 'spent')
      const again = await request(session, vcType, refused.body.c_nonce)
      expect(again.body.credential).toBe(before.body.credential)
      const other = await request(session, vcType, 'spent')
      const stranger = createHolder('Ed25519', 'key', 9)
      expect(await request(session, vcType, other.body.c_nonce, stranger)).toMatchObject({
        status: 400,
        body: { error: 'credential_request_denied' },
      })
    }
  })

  it('uses each c_nonce once for either type', async () => {
    const session = await openTwo()
    const answers = await Promise.all(
      [first, second, first, second].map((vcType) => request(session, vcType, session.cNonce)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_nonce')).toHaveLength(3)
  })

  it('defers each by itself', async () => {
    const session = await openTwo({ deferredSeconds: 30 })
    const one = await request(session, first, session.cNonce)
    system.runtime.advance(20)
    const two = await request(session, second, one.body.c_nonce)
    const poll = (answer: typeof one) =>
      callJson(`${system.connector.baseUrl}/deferred_credential`, {
        json: { acceptance_token: answer.body.acceptance_token },
      })
    system.runtime.advance(10)
    expect([(await poll(one)).status, (await poll(two)).status]).toEqual([200, 202])
    system.runtime.advance(20)
    expect(typeOf((await poll(two)).body.credential)).toBe(second)
  })

  it('loses only the credential that is revoked before its delivery', async () => {
    const session = await openTwo()
    const [, record] = await readRecords(session.made.subjectId)
    expect((await revokeCredential(system, record?.credential_id)).status).toBe(200)
    const one = await request(session, first, session.cNonce)
    expect(typeOf(one.body.credential)).toBe(first)
    for (const cNonce of [one.body.c_nonce, undefined]) {
      const fresh = cNonce ?? (await request(session, second, 'spent')).body.c_nonce
      expect(await request(session, second, fresh)).toMatchObject({
        status: 400,
        body: { error: 'credential_request_denied' },
      })
    }
    const after = await readRecords(session.made.subjectId)
    expect(after.map(({ status }) => status)).toContain('revoked')
  })

  it('shows the issuer each credential by id and by subject', async () => {
    const session = await openTwo()
    const { body } = await request(session, second, session.cNonce)
    const { jti } = payloadOf(body.credential)
    const { baseUrl } = system.connector
    const { subjectId } = session.made
    await expect
      .poll(() => readIssuance(baseUrl, subjectId))
      .toEqual({
        credential_id: null,
        subject_id: subjectId,
        vc_names: [first, second],
        state: 'redeemed',
        status: '0x0',
        credentials: [{ vc_name: second, credential_id: jti, state: 'delivered', status: '0x0' }],
      })
    expect((await revokeCredential(system, jti)).status).toBe(200)
    expect(await readIssuance(baseUrl, jti)).toMatchObject({
      credential_id: jti,
      state: 'delivered',
      status: '0x1',
    })
    expect(await readIssuance(baseUrl, subjectId)).toMatchObject({ status: '0x0' })
  })

  it('has records that are found only by type or credential_id', async () => {
    const session = await openTwo()
    const { subjectId } = session.made
    const [one, two] = await readRecords(subjectId)
    const call = async (path: string, body: object) => {
      const url = `${system.issuer.baseUrl}/issuance/${path}`
      return callJson(url, {
        json: { subject_id: subjectId, ...body },
        headers: { 'x-api-key': issuerApiKey },
      })
    }
    const byType = await call('claims', { vc_type: second })
    expect(byType.body.credential_id).toBe(two?.credential_id)
    const byId = await call('claims', { credential_id: one?.credential_id })
    expect(byId.body.vc_type).toBe(first)
    expect((await call('claims', {})).status).toBe(404)
    const minted = `urn:uuid:${crypto.randomUUID()}`
    const notified = { event: 'issued', credential_id: minted }
    expect((await call('notifications', notified)).status).toBe(404)
    const named = await call('notifications', { ...notified, vc_type: second })
    expect(named).toMatchObject({ status: 200, body: { credential_id: minted } })
    const after = await readRecords(subjectId)
    expect(after.map(({ status }) => status)).toEqual(['pending', 'issued'])
  })
})

import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type IssuanceSystem,
  issuerApiKey,
  openSession,
  payloadOf,
  postJson,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())

const bearer = async () => ({ authorization: `Bearer ${await system.tokenIssuer.mint()}` })

async function statusOf(credentialId: unknown): Promise<unknown> {
  const answer = await postJson(
    `${system.issuer.baseUrl}/issuance/credential`,
    { organization_identifiers: ['VATES-A12345678'] },
    await bearer(),
  )
  const records = answer.body as unknown as { credential_id: string; status: string }[]
  return records.find(({ credential_id }) => credential_id === credentialId)?.status
}

const revoke = async (credentialId: unknown) =>
  postJson(
    `${system.issuer.baseUrl}/issuance/credential/revoke`,
    { credential_id: credentialId },
    await bearer(),
  )

const notify = (body: object, apiKey = issuerApiKey) =>
  postJson(`${system.issuer.baseUrl}/issuance/notifications`, body, { 'x-api-key': apiKey })

describe('a confirmation that does not arrive', () => {
  // @row 1.states-and-transitions.1
  it('I80: leaves the record pending, for a network error, a wrong key, and "failed"', async () => {
    system.runtime.activeFaults.add('notification-lost')
    const session = await openSession(system)
    const { body } = await requestCredential(system, session)
    const { jti } = payloadOf(body.credential)
    expect(await statusOf(jti)).toBe('pending')
    const { subjectId } = session.made
    const refused = await notify({ subject_id: subjectId, event: 'issued' }, 'a wrong key')
    expect(refused.status).toBe(401)
    await notify({ subject_id: subjectId, event: 'failed' })
    expect(await statusOf(jti)).toBe('pending')
    system.runtime.activeFaults.delete('notification-lost')
    await vi.waitFor(async () => expect(await statusOf(jti)).toBe('issued'), { timeout: 5000 })
  })

  // @row 1.states-and-transitions.3
  it('I80: does not stand in the way of a revocation', async () => {
    system.runtime.activeFaults.add('notification-lost')
    const session = await openSession(system)
    const { body } = await requestCredential(system, session)
    const { jti } = payloadOf(body.credential)
    expect((await revoke(jti)).status).toBe(200)
    system.runtime.activeFaults.delete('notification-lost')
    // The confirmation arrives after all, several times over, and changes nothing any more.
    const { subjectId } = session.made
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => notify({ subject_id: subjectId, event: 'issued' })),
    )
    expect(answers.map(({ body: answer }) => answer.status)).toEqual(Array(5).fill('revoked'))
    expect(await statusOf(jti)).toBe('revoked')
  })
})

/** The bit of a credential in the list that it names (Bitstring Status List 1.0). */
async function isRevoked(credential: unknown): Promise<boolean> {
  const { statusListCredential, statusListIndex } = payloadOf(credential).vc.credentialStatus
  const list = payloadOf(await (await fetch(statusListCredential)).text())
  const bits = gunzipSync(Buffer.from(list.vc.credentialSubject.encodedList.slice(1), 'base64url'))
  const index = Number(statusListIndex)
  return (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
}

describe('a revocation that races the issuance', () => {
  it('wins: the record is revoked, and whatever got out says so', async () => {
    for (let round = 0; round < 12; round++) {
      const session = await openSession(system)
      const { credentialId } = session.made
      const early = round % 2 === 0
      const [first, second] = early
        ? await Promise.all([revoke(credentialId), requestCredential(system, session)])
        : await Promise.all([requestCredential(system, session), revoke(credentialId)]).then(
            ([issued, revoked]) => [revoked, issued] as const,
          )
      expect(first.status).toBe(200)
      expect([200, 400, 401]).toContain(second.status)
      if (second.status === 200) expect(await isRevoked(second.body.credential)).toBe(true)
      expect(await statusOf(credentialId)).toBe('revoked')
      expect((await revoke(credentialId)).status).toBe(400)
    }
  })
})

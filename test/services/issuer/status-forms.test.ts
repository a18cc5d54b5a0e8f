import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { validateCredential } from '#test/support/foreign-verifiers.ts'
import {
  type IssuanceSystem,
  openSession,
  payloadOf,
  postJson,
  requestCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'

async function issueWith(statusEntryType: string) {
  const system = await startIssuanceSystem({ issuer: { statusEntryType } })
  onTestFinished(() => system.stop())
  const { body } = await requestCredential(system, await openSession(system))
  expect(await validateCredential(body.credential)).toEqual([])
  return { system, payload: payloadOf(body.credential) }
}

const revoke = async ({ issuer, tokenIssuer }: IssuanceSystem, credentialId: string) =>
  postJson(
    `${issuer.baseUrl}/issuance/credential/revoke`,
    { credential_id: credentialId },
    { authorization: `Bearer ${await tokenIssuer.mint()}` },
  )

describe('the form of credentialStatus (A-23)', () => {
  it('is that of StatusList2021 for older wallets, list and entry', async () => {
    const { system, payload } = await issueWith('StatusList2021Entry')
    const { credentialStatus } = payload.vc
    expect(credentialStatus).toMatchObject({
      type: 'StatusList2021Entry',
      statusPurpose: 'revocation',
      statusListIndex: expect.stringMatching(/^\d+$/),
      statusListCredential: `${system.issuer.baseUrl}/credentials/status/1`,
    })
    const readList = async () =>
      payloadOf(await (await fetch(credentialStatus.statusListCredential)).text()).vc
    const isRevoked = async () => {
      const { encodedList } = (await readList()).credentialSubject
      // Base64url at once, without the letter of multibase before it.
      const bits = gunzipSync(Buffer.from(encodedList, 'base64url'))
      expect(bits.length * 8).toBeGreaterThanOrEqual(131_072)
      const index = Number(credentialStatus.statusListIndex)
      return (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
    }
    const list = await readList()
    expect(list.type).toEqual(['VerifiableCredential', 'StatusList2021Credential'])
    expect(list['@context']).toContain('https://w3id.org/vc/status-list/2021/v1')
    expect(list.credentialSubject).toMatchObject({
      type: 'StatusList2021',
      statusPurpose: 'revocation',
    })
    expect(await isRevoked()).toBe(false)
    expect((await revoke(system, payload.jti)).status).toBe(200)
    expect(await isRevoked()).toBe(true)
  })

  it('may be none: no entry, no list, and a revocation that the record alone knows', async () => {
    const { system, payload } = await issueWith('none')
    expect(payload.vc).not.toHaveProperty('credentialStatus')
    const list = await fetch(`${system.issuer.baseUrl}/credentials/status/1`)
    expect(list.status).toBe(404)
    expect((await revoke(system, payload.jti)).body).toMatchObject({ status: 'revoked' })
  })
})

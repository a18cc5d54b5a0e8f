import { describe, expect, it } from 'vitest'
import { validateCredential, verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import { callJson } from '#test/support/http.ts'
import {
  askIssuer,
  issuerApiKey,
  type ListedRecord,
  listRecords,
  openSession,
  payloadOf,
  power,
  readRecordStatus,
  requestCredential,
  revokeCredential,
  startIssuanceSystem,
  statusBitOf,
} from '#test/support/issuance.ts'

async function issueWith(statusEntryType: string) {
  const system = await startIssuanceSystem({ issuer: { statusEntryType } })
  const { body } = await requestCredential(system, await openSession(system))
  expect(await validateCredential(body.credential)).toEqual([])
  return { system, payload: payloadOf(body.credential) }
}

describe('the status list', async () => {
  const system = await startIssuanceSystem()
  /** A new pending record, the newest of the list. */
  const createRecord = async (): Promise<ListedRecord> => {
    await askIssuer(system, 'representative', { power: [power] })
    const [record] = await listRecords(system)
    if (!record) throw new Error('no record')
    return record
  }
  const read = async (path = '/credentials/status/1') => {
    const response = await fetch(system.issuer.baseUrl + path)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      jwt: await response.text(),
    }
  }
  const indexOf = async (record: ListedRecord) => {
    const { body } = await callJson(`${system.issuer.baseUrl}/issuance/claims`, {
      json: { subject_id: record.subject_id },
      headers: { 'x-api-key': issuerApiKey },
    })
    const { credential_status } = body
    return Number((credential_status as { statusListIndex: string }).statusListIndex)
  }
  const bitOf = (jwt: string, index: number) =>
    // Without the multibase prefix.
    statusBitOf(payloadOf(jwt).vc.credentialSubject.encodedList.slice(1), index)

  it('sets the bit of a credential on revocation', async () => {
    const [good, bad] = [await createRecord(), await createRecord()]
    const [goodIndex, badIndex] = [await indexOf(good), await indexOf(bad)]
    expect(goodIndex).not.toBe(badIndex)
    expect(bitOf((await read()).jwt, badIndex)).toBe(0)
    await revokeCredential(system, bad.credential_id)
    const list = await read()
    expect(list.type).toMatch(/^application\/vc\+jwt/)
    expect(bitOf(list.jwt, badIndex)).toBe(1)
    expect(bitOf(list.jwt, goodIndex)).toBe(0)
  })

  it('assigns each credential a random index', async () => {
    const indexes: number[] = []
    for (let time = 0; time < 12; time++) indexes.push(await indexOf(await createRecord()))
    expect(new Set(indexes).size).toBe(indexes.length)
    expect(Math.max(...indexes)).toBeLessThan(131_072)
    const steps = indexes.slice(1).map((index, at) => index - (indexes[at] ?? 0))
    // Twelve of 131072 indexes this close together have a probability below 10^-30.
    expect(steps.some((step) => Math.abs(step) > 12)).toBe(true)
    expect(steps.some((step) => step < 0)).toBe(true)
  })

  it('can be cached for its ttl and revalidated by its ETag', async () => {
    const url = `${system.issuer.baseUrl}/credentials/status/1`
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, max-age=1, must-revalidate')
    const { exp, vc } = payloadOf(await first.text())
    expect(vc.credentialSubject.ttl).toBe(1000)
    expect(Date.parse(vc.validUntil)).toBe(exp * 1000)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(url, { headers: { 'if-none-match': tag } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    await revokeCredential(system, (await createRecord()).credential_id)
    const changed = await fetch(url, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  it('verifies in did-jwt', async () => {
    const { payload } = await verifyIssuedCredential((await read()).jwt)
    expect(payload.vc).toMatchObject({
      id: `${system.issuer.baseUrl}/credentials/status/1`,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      credentialSubject: { type: 'BitstringStatusList', statusPurpose: 'revocation' },
    })
  })

  it('exists only under its number', async () => {
    for (const path of ['2', '0', '-1', '1e3', 'x', '99999999999999999999']) {
      expect((await read(`/credentials/status/${path}`)).status).toBe(404)
    }
  })
})

describe('the form of credentialStatus (A-23)', () => {
  it('may be StatusList2021 for older wallets', async () => {
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
      // No multibase prefix before the base64url.
      return statusBitOf(encodedList, Number(credentialStatus.statusListIndex)) === 1
    }
    const list = await readList()
    expect(list.type).toEqual(['VerifiableCredential', 'StatusList2021Credential'])
    expect(list['@context']).toContain('https://w3id.org/vc/status-list/2021/v1')
    expect(list.credentialSubject).toMatchObject({
      type: 'StatusList2021',
      statusPurpose: 'revocation',
    })
    expect(await isRevoked()).toBe(false)
    expect((await revokeCredential(system, payload.jti)).status).toBe(200)
    expect(await isRevoked()).toBe(true)
  })

  it('may be none, which means no entry and no list', async () => {
    const { system, payload } = await issueWith('none')
    expect(payload.vc).not.toHaveProperty('credentialStatus')
    const list = await fetch(`${system.issuer.baseUrl}/credentials/status/1`)
    expect(list.status).toBe(404)
    expect((await revokeCredential(system, payload.jti)).body).toMatchObject({ status: 'revoked' })
  })
})

describe('a revocation', async () => {
  const system = await startIssuanceSystem()
  const readBit = async (credential: unknown) => {
    const { statusListCredential, statusListIndex } = payloadOf(credential).vc.credentialStatus
    const list = payloadOf(await (await fetch(statusListCredential)).text())
    const { encodedList } = list.vc.credentialSubject
    return statusBitOf(encodedList.slice(1), Number(statusListIndex))
  }

  // @row 1.states-and-transitions.3
  it('comes before a late confirmation (I80)', async () => {
    system.runtime.activeFaults.add('notification-lost')
    const session = await openSession(system)
    const { body } = await requestCredential(system, session)
    const { jti } = payloadOf(body.credential)
    expect((await revokeCredential(system, jti)).status).toBe(200)
    system.runtime.activeFaults.delete('notification-lost')
    // The confirmation still arrives, several times, and has no effect.
    const { subjectId } = session.made
    const url = `${system.issuer.baseUrl}/issuance/notifications`
    const notify = () =>
      callJson(url, {
        json: { subject_id: subjectId, event: 'issued' },
        headers: { 'x-api-key': issuerApiKey },
      })
    const answers = await Promise.all([notify(), notify(), notify(), notify(), notify()])
    expect(answers.map(({ body: answer }) => answer.status)).toEqual(Array(5).fill('revoked'))
    expect(await readRecordStatus(system, subjectId)).toBe('revoked')
  })

  it('wins the race against an issuance', async () => {
    for (let round = 0; round < 12; round++) {
      const session = await openSession(system)
      const { credentialId, subjectId } = session.made
      const early = round % 2 === 0
      const [first, second] = early
        ? await Promise.all([
            revokeCredential(system, credentialId),
            requestCredential(system, session),
          ])
        : await Promise.all([
            requestCredential(system, session),
            revokeCredential(system, credentialId),
          ]).then(([issued, revoked]) => [revoked, issued] as const)
      expect(first.status).toBe(200)
      expect([200, 400, 401]).toContain(second.status)
      if (second.status === 200) expect(await readBit(second.body.credential)).toBe(1)
      expect(await readRecordStatus(system, subjectId)).toBe('revoked')
      expect((await revokeCredential(system, credentialId)).status).toBe(400)
    }
  })
})

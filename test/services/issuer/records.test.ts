import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { callJson } from '#test/support/http.ts'
import {
  askIssuer,
  issuerApiKey,
  type ListedRecord,
  listRecords,
  power,
  revokeCredential,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const system = await startIssuanceSystem()

const own = 'VATES-A12345678'
const other = 'VATES-B00000000'

const post = (path: string, body: unknown, claims?: Record<string, unknown>) =>
  askIssuer(system, path, body, claims)
const list = (organization = own) => listRecords(system, organization)

/** A new pending record, the newest of the list. */
async function createRecord(organization = own): Promise<ListedRecord> {
  await post('representative', { power: [power] }, { organization_identifier: organization })
  const [record] = await list(organization)
  if (!record) throw new Error('no record')
  return record
}

const createUrn = () => `urn:uuid:${crypto.randomUUID()}`

const withKey = { 'x-api-key': issuerApiKey }
const notify = (body: unknown, headers: Record<string, string> = withKey) =>
  callJson(`${system.issuer.baseUrl}/issuance/notifications`, { json: body, headers })
const claims = (body: unknown, headers: Record<string, string> = withKey) =>
  callJson(`${system.issuer.baseUrl}/issuance/claims`, { json: body, headers })
const revoke = (credentialId: unknown, tokenClaims?: Record<string, unknown>) =>
  revokeCredential(system, credentialId, tokenClaims)

describe('POST /issuance/credential', () => {
  // @row 1.resources-and-their-fields/issuedcredential.1..8 1.endpoints/credential-issuer.7
  it('lists the documented fields, newest first', async () => {
    const first = await createRecord()
    const second = await createRecord()
    const records = await list()
    expect(records.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(Object.keys(second).sort()).toEqual([
      'creation_at',
      'credential_id',
      'id',
      'organization_identifier',
      'status',
      'subject_id',
      'update_at',
      'vc_type',
    ])
    expect(second.creation_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(new Set(records.map(({ subject_id }) => subject_id)).size).toBe(records.length)
  })

  it('shows each record at each step of its lifecycle', async () => {
    const { runtime } = system
    const between = (time: string | undefined, [from, to]: readonly [number, number]) => {
      const milliseconds = Date.parse(time ?? '')
      expect(milliseconds).toBeGreaterThanOrEqual(from)
      expect(milliseconds).toBeLessThanOrEqual(to)
    }
    /** The time of an event, by the clock of the services. */
    const timed = async <Value>(work: () => Promise<Value>) => {
      runtime.advance(100)
      const from = runtime.clock.milliseconds()
      const value = await work()
      return { value, period: [from, runtime.clock.milliseconds()] as const }
    }
    const readRecord = async () => {
      const records = await list()
      return records.find(({ id }) => id === created.value.id)
    }
    const created = await timed(createRecord)
    const pending = await readRecord()
    expect(pending).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      vc_type: 'OrgPortalLearCredential',
      subject_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_identifier: own,
      status: 'pending',
      credential_id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      creation_at: expect.any(String),
      update_at: pending?.creation_at,
    })
    expect(pending?.id).not.toBe(pending?.subject_id)
    between(pending?.creation_at, created.period)

    const { subject_id } = created.value
    const minted = createUrn()
    const issued = await timed(() => notify({ subject_id, credential_id: minted, event: 'issued' }))
    const afterIssue = await readRecord()
    expect(afterIssue).toEqual({
      ...pending,
      status: 'issued',
      credential_id: minted,
      update_at: expect.any(String),
    })
    between(afterIssue?.update_at, issued.period)
    await timed(() => notify({ subject_id, event: 'issued' }))
    expect(await readRecord()).toEqual(afterIssue)

    const revoked = await timed(() => revoke(minted))
    expect(revoked.value.status).toBe(200)
    const afterRevocation = await readRecord()
    expect(afterRevocation).toEqual({
      ...afterIssue,
      status: 'revoked',
      update_at: expect.any(String),
    })
    between(afterRevocation?.update_at, revoked.period)
    await timed(() => revoke(minted))
    expect(await readRecord()).toEqual(afterRevocation)
    runtime.advance(-500)
  })

  it('lists more records than one read returns', async () => {
    const folder = createTemporaryFolder()
    const databaseUrl = `sqlite:${folder}/issuer.sqlite`
    const long = await startIssuanceSystem({ issuer: { databaseUrl } })
    const database = new DatabaseSync(`${folder}/issuer.sqlite`)
    database.exec(`
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 1249)
      insert into records (id, position, vc_type, subject_id, organization_identifier, status,
        credential_id, profile, mandate, created_at, updated_at)
      select 'r' || n, n, 'A', 's' || n, '${own}', 'pending', 'c' || n, 'default', '{}', n, n
      from numbers`)
    database.close()
    const ids = (await listRecords(long)).map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 1250 }, (_, index) => `r${1249 - index}`))
  })

  it('returns 503 without its database', async () => {
    system.runtime.activeFaults.add('database-down')
    const answer = await post('credential', { organization_identifiers: [own] })
    system.runtime.activeFaults.delete('database-down')
    expect(answer).toMatchObject({ status: 503, body: { error: 'Service Unavailable' } })
  })

  it('answers [] to []', async () => {
    expect((await post('credential', { organization_identifiers: [] })).body).toEqual([])
  })

  it('rejects other organizations and malformed bodies', async () => {
    const asked = { organization_identifiers: [own, other] }
    const refused = await post('credential', asked)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error: 'Forbidden', detail: expect.any(String) })
    const none = await post('credential', asked, { organization_identifier: undefined })
    expect(none.status).toBe(403)
    for (const body of [{}, { organization_identifiers: own }, { organization_identifiers: [1] }]) {
      expect((await post('credential', body)).status).toBe(400)
    }
  })
})

describe('POST /issuance/identifiers', () => {
  // @row 1.endpoints/credential-issuer.6
  it('lists the configured types for any subject', async () => {
    const answer = await post('identifiers', { subject_id: 'anything' })
    expect(answer).toMatchObject({
      status: 200,
      body: { vc_types: ['OrgPortalLearCredential'] },
    })
    expect((await post('identifiers', { subject_id: '' })).status).toBe(400)
    expect((await post('identifiers', {})).status).toBe(400)
  })
})

describe('POST /issuance/notifications', () => {
  // @row 1.endpoints/credential-issuer.9 1.events.1
  it('moves a record to issued once', async () => {
    const record = await createRecord()
    const notification = { subject_id: record.subject_id, event: 'issued', extra: 1 }
    for (let time = 0; time < 3; time++) {
      const answer = await notify(notification)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ credential_id: record.credential_id, status: 'issued' })
    }
    expect((await list())[0]?.status).toBe('issued')
  })

  it('accepts type or status as event, and finds a record by credential_id', async () => {
    for (const member of ['type', 'status']) {
      const { credential_id } = await createRecord()
      const answer = await notify({ credential_id, [member]: 'issued' })
      expect(answer.body).toMatchObject({ credential_id, status: 'issued' })
    }
  })

  it('ignores failed and late events', async () => {
    const { subject_id } = await createRecord()
    expect((await notify({ subject_id, event: 'failed' })).body.status).toBe('pending')
    await notify({ subject_id, event: 'issued' })
    expect((await notify({ subject_id, event: 'failed' })).body.status).toBe('issued')
    expect((await notify({ subject_id, event: 'revoked' })).body.status).toBe('revoked')
    expect((await notify({ subject_id, event: 'issued' })).body.status).toBe('revoked')
  })

  it("accepts a Connector's own credential_id once", async () => {
    const { subject_id } = await createRecord()
    const credential_id = createUrn()
    const minted = { subject_id, credential_id, event: 'issued' }
    expect((await notify(minted)).body.credential_id).toBe(credential_id)
    const inCapitals = `urn:uuid:${credential_id.slice('urn:uuid:'.length).toUpperCase()}`
    expect((await notify({ ...minted, credential_id: inCapitals })).status).toBe(200)
    expect((await notify({ ...minted, credential_id: createUrn() })).status).toBe(400)
    const second = await createRecord()
    const taken = { ...minted, subject_id: second.subject_id }
    expect((await notify(taken)).status).toBe(400)
    expect((await list())[0]).toMatchObject({ status: 'pending' })
    expect((await revoke(inCapitals)).status).toBe(200)
  })

  it.each([
    'urn:uuid:minted-1',
    'x',
    '',
    'urn:uuid:',
    crypto.randomUUID(),
    `${createUrn()} `,
    `${createUrn()}\n`,
    `urn:uuid:${crypto.randomUUID().replaceAll('-', '')}`,
    'a'.repeat(300),
    7,
  ])('rejects the credential_id %j and keeps the record', async (credential_id) => {
    const record = await createRecord()
    const answer = await notify({ subject_id: record.subject_id, credential_id, event: 'issued' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'Bad Request' } })
    expect((await list())[0]).toEqual(record)
  })

  // @row 1.authentication.2
  it('rejects unknown records, profiles, events and keys (I79)', async () => {
    const { subject_id } = await createRecord()
    expect((await notify({ subject_id: 'none', event: 'issued' })).status).toBe(404)
    expect((await notify({ subject_id, event: 'issued', profile: 'other' })).status).toBe(404)
    expect((await notify({ subject_id, event: 'celebrated' })).status).toBe(400)
    expect((await notify({ subject_id })).status).toBe(400)
    expect((await notify({ event: 'issued' })).status).toBe(400)
    expect((await notify([])).status).toBe(400)
    for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
      const answer = await notify({ subject_id, event: 'issued' }, headers)
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ error: 'Unauthorized', detail: expect.any(String) })
    }
    expect((await list())[0]?.status).toBe('pending')
  })
})

describe('POST /issuance/claims', () => {
  // @row 1.endpoints/credential-issuer.10
  it('returns the mandate and the members of the credential', async () => {
    const record = await createRecord()
    const answer = await claims({ subject_id: record.subject_id, vc_type: record.vc_type })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      claims: { mandate: { power: [power], mandator: { organizationIdentifier: own } } },
      subject_claims: { mandate: { power: [power] } },
      additional_claims: {},
      context_claims: {},
      credential_id: record.credential_id,
      vc_type: 'OrgPortalLearCredential',
    })
    const byCredential = await claims({ credential_id: record.credential_id })
    expect(byCredential.body.claims).toEqual(answer.body.claims)
  })

  // @row 1.authentication.2
  it('rejects unknown and revoked records, and a missing key', async () => {
    const { subject_id, credential_id } = await createRecord()
    expect((await claims({ subject_id: 'none' })).status).toBe(404)
    expect((await claims({ subject_id, profile: 'other' })).status).toBe(404)
    expect((await claims({ subject_id, vc_type: 'Other' })).status).toBe(404)
    expect((await claims({})).status).toBe(400)
    expect((await claims({ subject_id }, {})).status).toBe(401)
    await revoke(credential_id)
    expect((await claims({ subject_id })).status).toBe(404)
  })
})

describe('POST /issuance/credential/revoke', () => {
  // @row 1.endpoints/credential-issuer.8 1.errors.6 1.states-and-transitions.3..4
  it('revokes once, even for 20 simultaneous requests (I73, I74)', async () => {
    const { credential_id, subject_id } = await createRecord()
    await notify({ subject_id, event: 'issued' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(credential_id)))
    const [revoked, ...more] = answers.filter(({ status }) => status === 200)
    expect(revoked?.body).toEqual({
      message: 'The credential has been revoked',
      credential_id,
      status: 'revoked',
    })
    expect(more).toEqual([])
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    expect((await list())[0]?.status).toBe('revoked')
  })

  // @row 1.errors.5
  it('rejects unknown ids and other organizations (I75)', async () => {
    expect((await revoke('urn:uuid:none')).status).toBe(404)
    expect((await revoke(undefined)).status).toBe(400)
    expect((await revoke(7)).status).toBe(400)
    const { credential_id } = await createRecord(other)
    expect((await revoke(credential_id)).status).toBe(403)
    expect((await list(other))[0]?.status).toBe('pending')
  })

  // @row 1.errors.7
  it('returns 500 for an internal error and keeps the record', async () => {
    const { credential_id } = await createRecord()
    system.runtime.activeFaults.add('database-down')
    const answer = await revoke(credential_id)
    system.runtime.activeFaults.delete('database-down')
    expect(answer).toMatchObject({
      status: 500,
      body: {
        error: 'Internal Server Error',
        detail: 'Internal error while revoking the credential',
      },
    })
    expect((await list())[0]?.status).toBe('pending')
  })

  it('works without the Connector', async () => {
    const { credential_id } = await createRecord()
    system.runtime.activeFaults.add('connector-down')
    expect((await revoke(credential_id)).status).toBe(200)
    system.runtime.activeFaults.delete('connector-down')
  })
})

describe('an issued credential past its validUntil', () => {
  it('is shown as expired, and can be revoked', async () => {
    const { subject_id, credential_id } = await createRecord()
    const { valid_until } = (await claims({ subject_id })).body
    await notify({ subject_id, event: 'issued' })
    const runtime = system.runtime
    const wait = Number(valid_until) - runtime.clock.seconds()
    runtime.advance(wait)
    const now = runtime.clock.seconds()
    const inThatTime = { iat: now, exp: now + 600 }
    const listed = await post('credential', { organization_identifiers: [own] }, inThatTime)
    const revoked = await revoke(credential_id, inThatTime)
    runtime.advance(-wait)
    const [newest] = listed.body as unknown as ListedRecord[]
    expect(newest).toMatchObject({ credential_id, status: 'expired' })
    expect(revoked.status).toBe(200)
  })
})

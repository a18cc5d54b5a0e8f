import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import {
  type IssuanceSystem,
  issuerApiKey,
  postJson,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

interface IssuedCredential {
  id: string
  vc_type: string
  subject_id: string
  organization_identifier: string
  status: string
  credential_id: string
  creation_at: string
  update_at: string
}

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())

const own = 'VATES-A12345678'
const other = 'VATES-B00000000'

async function post(path: string, body: unknown, claims: Record<string, unknown> = {}) {
  return postJson(system.issuer.baseUrl + path, body, {
    authorization: `Bearer ${await system.tokenIssuer.mint(claims)}`,
  })
}

async function list(organization = own): Promise<IssuedCredential[]> {
  const answer = await post(
    '/issuance/credential',
    { organization_identifiers: [organization] },
    { organization_identifier: organization },
  )
  return answer.body as unknown as IssuedCredential[]
}

/** A new pending record, the newest of the list. */
async function createRecord(organization = own): Promise<IssuedCredential> {
  await post(
    '/issuance/representative',
    { power: [power] },
    { organization_identifier: organization },
  )
  const [record] = await list(organization)
  if (!record) throw new Error('no record')
  return record
}

const createUrn = () => `urn:uuid:${crypto.randomUUID()}`

const notify = (body: unknown, headers: Record<string, string> = { 'x-api-key': issuerApiKey }) =>
  postJson(`${system.issuer.baseUrl}/issuance/notifications`, body, headers)
const claims = (body: unknown, headers: Record<string, string> = { 'x-api-key': issuerApiKey }) =>
  postJson(`${system.issuer.baseUrl}/issuance/claims`, body, headers)
const revoke = (credentialId: unknown, tokenClaims: Record<string, unknown> = {}) =>
  post('/issuance/credential/revoke', { credential_id: credentialId }, tokenClaims)

describe('POST /issuance/credential', () => {
  // @row 1.resources-and-their-fields/issuedcredential.1..8 1.endpoints/credential-issuer.7
  it('lists exactly the documented fields, newest first', async () => {
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

  it('has the values of each record, at each step of its life', async () => {
    const { runtime } = system
    const between = (time: string | undefined, [from, to]: readonly [number, number]) => {
      const milliseconds = Date.parse(time ?? '')
      expect(milliseconds).toBeGreaterThanOrEqual(from)
      expect(milliseconds).toBeLessThanOrEqual(to)
    }
    /** When something happened, by the clock of the services. */
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

  it('lists more records than are read at once, each of them once', async () => {
    const folder = createTemporaryFolder()
    const databaseUrl = `sqlite:${folder}/issuer.sqlite`
    const long = await startIssuanceSystem({ issuer: { databaseUrl } })
    onTestFinished(() => long.stop())
    const database = new DatabaseSync(`${folder}/issuer.sqlite`)
    database.exec(`
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 1249)
      insert into records (id, position, vc_type, subject_id, organization_identifier, status,
        credential_id, profile, mandate, created_at, updated_at)
      select 'r' || n, n, 'A', 's' || n, '${own}', 'pending', 'c' || n, 'default', '{}', n, n
      from numbers`)
    database.close()
    const answer = await postJson(
      `${long.issuer.baseUrl}/issuance/credential`,
      { organization_identifiers: [own] },
      { authorization: `Bearer ${await long.tokenIssuer.mint()}` },
    )
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    const ids = (answer.body as unknown as IssuedCredential[]).map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 1250 }, (_, index) => `r${1249 - index}`))
  })

  it('tells that its database is away, before it has begun to answer', async () => {
    system.runtime.activeFaults.add('database-down')
    const answer = await post('/issuance/credential', { organization_identifiers: [own] })
    system.runtime.activeFaults.delete('database-down')
    expect(answer).toMatchObject({ status: 503, body: { error: 'Service Unavailable' } })
  })

  it('answers [] to []', async () => {
    expect((await post('/issuance/credential', { organization_identifiers: [] })).body).toEqual([])
  })

  it('refuses another organization, a token of none, and a body of another shape', async () => {
    const asked = { organization_identifiers: [own, other] }
    const refused = await post('/issuance/credential', asked)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error: 'Forbidden', detail: expect.any(String) })
    const none = await post('/issuance/credential', asked, { organization_identifier: undefined })
    expect(none.status).toBe(403)
    for (const body of [{}, { organization_identifiers: own }, { organization_identifiers: [1] }]) {
      expect((await post('/issuance/credential', body)).status).toBe(400)
    }
  })
})

describe('POST /issuance/identifiers', () => {
  // @row 1.endpoints/credential-issuer.6
  it('answers the configured types for any subject', async () => {
    const answer = await post('/issuance/identifiers', { subject_id: 'anything' })
    expect(answer).toMatchObject({
      status: 200,
      body: { vc_types: ['OrgPortalLearCredential'] },
    })
    expect((await post('/issuance/identifiers', { subject_id: '' })).status).toBe(400)
    expect((await post('/issuance/identifiers', {})).status).toBe(400)
  })
})

describe('POST /issuance/notifications', () => {
  // @row 1.endpoints/credential-issuer.9 1.events.1
  it('moves a record to issued, however often it comes', async () => {
    const record = await createRecord()
    const notification = { subject_id: record.subject_id, event: 'issued', extra: 1 }
    for (let time = 0; time < 3; time++) {
      const answer = await notify(notification)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ credential_id: record.credential_id, status: 'issued' })
    }
    expect((await list())[0]?.status).toBe('issued')
  })

  it('takes type or status for event, and finds a record by its credential_id', async () => {
    for (const member of ['type', 'status']) {
      const { credential_id } = await createRecord()
      const answer = await notify({ credential_id, [member]: 'issued' })
      expect(answer.body).toMatchObject({ credential_id, status: 'issued' })
    }
  })

  it('failed leaves the record pending; what comes late changes nothing', async () => {
    const { subject_id } = await createRecord()
    expect((await notify({ subject_id, event: 'failed' })).body.status).toBe('pending')
    await notify({ subject_id, event: 'issued' })
    expect((await notify({ subject_id, event: 'failed' })).body.status).toBe('issued')
    expect((await notify({ subject_id, event: 'revoked' })).body.status).toBe('revoked')
    expect((await notify({ subject_id, event: 'issued' })).body.status).toBe('revoked')
  })

  it("a Connector's own credential_id replaces a pending record's, and no later one does", async () => {
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
  ])(
    "refuses %j, which is not the document's urn:uuid, and keeps the record",
    async (credential_id) => {
      const record = await createRecord()
      const answer = await notify({ subject_id: record.subject_id, credential_id, event: 'issued' })
      expect(answer).toMatchObject({ status: 400, body: { error: 'Bad Request' } })
      expect((await list())[0]).toEqual(record)
    },
  )

  // @row 1.authentication.2
  it('I79: refuses unknown records, another profile, unknown events, and a wrong or missing key', async () => {
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

  it('of many at once leaves one state', async () => {
    const { subject_id } = await createRecord()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        notify({ subject_id, event: index === 10 ? 'revoked' : 'issued' }),
      ),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await list())[0]?.status).toBe('revoked')
  })
})

describe('POST /issuance/claims', () => {
  // @row 1.endpoints/credential-issuer.10
  it('answers the mandate and what belongs to the credential', async () => {
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
  it('refuses unknown, revoked and foreign records, and a missing key', async () => {
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
  it('I73, I74: revokes once and for all', async () => {
    const { credential_id, subject_id } = await createRecord()
    await notify({ subject_id, event: 'issued' })
    const answer = await revoke(credential_id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      message: 'The credential has been revoked',
      credential_id,
      status: 'revoked',
    })
    expect((await list())[0]?.status).toBe('revoked')
    expect((await revoke(credential_id)).status).toBe(400)
  })

  // @row 1.errors.5
  it('I75: refuses unknown ids, another organization, and a body without one', async () => {
    expect((await revoke('urn:uuid:none')).status).toBe(404)
    expect((await revoke(undefined)).status).toBe(400)
    expect((await revoke(7)).status).toBe(400)
    const { credential_id } = await createRecord(other)
    expect((await revoke(credential_id)).status).toBe(403)
    expect((await list(other))[0]?.status).toBe('pending')
  })

  it('of 20 at once lets one through', async () => {
    const { credential_id } = await createRecord()
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(credential_id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  // @row 1.errors.7
  it('says so where it fails inside: 500, and the record stays as it was', async () => {
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

  it('works while the Connector is away', async () => {
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
    const listed = await post(
      '/issuance/credential',
      { organization_identifiers: [own] },
      inThatTime,
    )
    const revoked = await revoke(credential_id, inThatTime)
    runtime.advance(-wait)
    const [newest] = listed.body as unknown as IssuedCredential[]
    expect(newest).toMatchObject({ credential_id, status: 'expired' })
    expect(revoked.status).toBe(200)
  })
})

describe('the status list', () => {
  const read = async (path = '/credentials/status/1') => {
    const response = await fetch(system.issuer.baseUrl + path)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      jwt: await response.text(),
    }
  }
  const indexOf = async (record: IssuedCredential) => {
    const { credential_status } = (await claims({ subject_id: record.subject_id })).body
    return Number((credential_status as { statusListIndex: string }).statusListIndex)
  }
  /** Bitstring Status List 1.0: gzip, multibase base64url, the first bit is the highest of byte 0. */
  const bitOf = (jwt: string, index: number) => {
    const { vc } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    const bits = gunzipSync(Buffer.from(vc.credentialSubject.encodedList.slice(1), 'base64url'))
    expect(bits.length * 8).toBeGreaterThanOrEqual(131_072)
    return ((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
  }

  it('holds the bit of a revoked credential from the moment of its revocation', async () => {
    const [good, bad] = [await createRecord(), await createRecord()]
    const [goodIndex, badIndex] = [await indexOf(good), await indexOf(bad)]
    expect(goodIndex).not.toBe(badIndex)
    expect(bitOf((await read()).jwt, badIndex)).toBe(0)
    await revoke(bad.credential_id)
    const list = await read()
    expect(list.type).toMatch(/^application\/vc\+jwt/)
    expect(bitOf(list.jwt, badIndex)).toBe(1)
    expect(bitOf(list.jwt, goodIndex)).toBe(0)
  })

  it('gives each credential a place of its own, drawn at random', async () => {
    const indexes: number[] = []
    for (let time = 0; time < 12; time++) indexes.push(await indexOf(await createRecord()))
    expect(new Set(indexes).size).toBe(indexes.length)
    expect(Math.max(...indexes)).toBeLessThan(131_072)
    const steps = indexes.slice(1).map((index, at) => index - (indexes[at] ?? 0))
    // That twelve of 131072 follow each other closely happens once in more than 10^30 times.
    expect(steps.some((step) => Math.abs(step) > 12)).toBe(true)
    expect(steps.some((step) => step < 0)).toBe(true)
  })

  it('may be kept for its ttl and is asked for again by its ETag', async () => {
    const url = `${system.issuer.baseUrl}/credentials/status/1`
    const first = await fetch(url)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, max-age=1, must-revalidate')
    const { exp, vc } = JSON.parse(
      Buffer.from((await first.text()).split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(vc.credentialSubject.ttl).toBe(1000)
    expect(Date.parse(vc.validUntil)).toBe(exp * 1000)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(url, { headers: { 'if-none-match': tag } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    await revoke((await createRecord()).credential_id)
    const changed = await fetch(url, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  it("is signed with the issuer's key: did-jwt verifies it", async () => {
    const { payload } = await verifyIssuedCredential((await read()).jwt)
    expect(payload.vc).toMatchObject({
      id: `${system.issuer.baseUrl}/credentials/status/1`,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      credentialSubject: { type: 'BitstringStatusList', statusPurpose: 'revocation' },
    })
  })

  it('of another number is not there', async () => {
    for (const path of ['2', '0', '-1', '1e3', 'x', '99999999999999999999']) {
      expect((await read(`/credentials/status/${path}`)).status).toBe(404)
    }
  })
})

import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createRecordStore, type RecordStore } from '#services/issuer/adapters/record-store.ts'
import {
  type RecordEvent,
  type RecordStatus,
  recordTransitions,
  shownStatus,
} from '#services/issuer/domain/record-states.ts'
import { postNotifications } from '#services/issuer/routes/connector.ts'
import { type IssuerTables, migrations } from '#services/issuer/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

async function openRecords(): Promise<RecordStore> {
  const runtime = createTestRuntime()
  const database = await openDatabase<IssuerTables>({
    url: 'sqlite::memory:',
    service: 'issuer',
    migrations: migrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  return createRecordStore(database, runtime.clock)
}

async function openTwoRecords(): Promise<RecordStore> {
  const records = await openRecords()
  for (const name of ['first', 'second']) {
    await records.create({
      id: name,
      vc_type: 'A',
      subject_id: name,
      organization_identifier: 'O',
      credential_id: `urn:${name}`,
      profile: 'default',
      mandate: '{}',
    })
  }
  return records
}

/** Notifies while another change happens right after the look-up of the credential_id. */
async function notifyWhile(records: RecordStore, meanwhile: () => Promise<unknown>) {
  let happened = false
  const interrupted: RecordStore = {
    ...records,
    async findByCredentialId(credentialId) {
      const found = await records.findByCredentialId(credentialId)
      if (!happened) {
        happened = true
        await meanwhile()
      }
      return found
    },
  }
  const body = { subject_id: 'first', credential_id: 'urn:minted', event: 'issued' }
  return postNotifications.handle({ body } as never, { records: interrupted } as never)
}

describe('a notification with a credential_id', () => {
  it('is accepted if the same id arrived in the meantime', async () => {
    const records = await openTwoRecords()
    const reply = await notifyWhile(records, () => records.apply('first', 'issued', 'urn:minted'))
    expect(reply).toMatchObject({
      status: 200,
      body: { credential_id: 'urn:minted', status: 'issued' },
    })
  })

  it('is rejected if another record got that credential_id in the meantime', async () => {
    const records = await openTwoRecords()
    const reply = notifyWhile(records, () => records.apply('second', 'issued', 'urn:minted'))
    await expect(reply).rejects.toMatchObject({ status: 400, code: 'credential_id_mismatch' })
    expect(await records.findById('first')).toMatchObject({
      status: 'pending',
      credential_id: 'urn:first',
    })
  })

  it('does not change a record that was revoked in the meantime with its own credential_id', async () => {
    const records = await openTwoRecords()
    const reply = notifyWhile(records, () => records.apply('first', 'revoked'))
    await expect(reply).rejects.toMatchObject({ status: 400, code: 'credential_id_mismatch' })
    expect(await records.findById('first')).toMatchObject({ status: 'revoked' })
  })
})

it('keeps the place of credentials of an earlier version in the status list', async () => {
  const runtime = createTestRuntime()
  const url = `sqlite:${createTemporaryFolder()}/issuer.sqlite`
  const open = (applied: Partial<typeof migrations>) =>
    openDatabase<IssuerTables>({ url, service: 'issuer', migrations: applied, runtime })
  const before = await open({ '2026-01-records': migrations['2026-01-records'] })
  for (const position of [0, 1, 200_000]) {
    const row = {
      id: `record-${position}`,
      position,
      vc_type: 'A',
      subject_id: `subject-${position}`,
      organization_identifier: 'O',
      status: 'issued',
      credential_id: `urn:uuid:${position}`,
      profile: 'default',
      mandate: '{}',
      created_at: 0,
      updated_at: 0,
    } as const
    await before
      .insertInto('records')
      .values(row as never)
      .execute()
  }
  await before.destroy()
  const after = await open(migrations)
  onTestFinished(() => after.destroy())
  const rows = await after
    .selectFrom('records')
    .select(['position', 'status_index'])
    .orderBy('position')
    .execute()
  expect(rows.map(({ status_index }) => status_index)).toEqual([0, 1, 200_000])
  // The subject of an earlier record may now get another type, but not the same one.
  const records = createRecordStore(after, runtime.clock)
  const next = {
    id: 'record-next',
    subject_id: 'subject-1',
    organization_identifier: 'O',
    credential_id: 'urn:uuid:next',
    profile: 'default',
    mandate: '{}',
  }
  await expect(records.create({ ...next, vc_type: 'A' })).rejects.toThrow(/unique/i)
  await records.create({ ...next, vc_type: 'B' })
  const types = (await records.listBySubjectId('subject-1')).map(({ vc_type }) => vc_type)
  expect(types).toEqual(['A', 'B'])
})

/** profile/issuer, States, and A-22, row by row. */
const expected: readonly [RecordStatus, RecordEvent, RecordStatus | 'refused'][] = [
  ['pending', 'issued', 'issued'],
  ['pending', 'failed', 'pending'],
  ['pending', 'revoked', 'revoked'],
  ['pending', 'revocation requested', 'revoked'],
  ['issued', 'issued', 'issued'],
  ['issued', 'failed', 'issued'],
  ['issued', 'revoked', 'revoked'],
  ['issued', 'revocation requested', 'revoked'],
  ['revoked', 'issued', 'revoked'],
  ['revoked', 'failed', 'revoked'],
  ['revoked', 'revoked', 'revoked'],
  ['revoked', 'revocation requested', 'refused'],
]

describe('the states of a record (A-22)', () => {
  it('are exactly those of the table', () => {
    const table = Object.entries(recordTransitions).flatMap(([from, events]) =>
      Object.entries(events).map(([event, to]) => [from, event, to]),
    )
    expect(table).toEqual(expected)
  })

  // @row 1.states-and-transitions.1..4
  it.each(expected)('%s, on "%s": %s', async (from, event, to) => {
    const records = await openRecords()
    const names = { id: 'r', subject_id: 's', credential_id: 'c', organization_identifier: 'o' }
    await records.create({ ...names, vc_type: 'A', profile: 'default', mandate: '{}' })
    if (from !== 'pending') await records.apply('r', from)
    const after = await records.apply('r', event)
    expect(after?.status).toBe(to === 'refused' ? undefined : to)
    expect((await records.findById('r'))?.status).toBe(to === 'refused' ? from : to)
  })

  it('only an issued record is shown as expired, from its validUntil on', () => {
    expect(shownStatus('issued', 100, 99)).toBe('issued')
    expect(shownStatus('issued', 100, 100)).toBe('expired')
    expect(shownStatus('pending', 100, 200)).toBe('pending')
    expect(shownStatus('revoked', 100, 200)).toBe('revoked')
    expect(shownStatus('issued', null, 200)).toBe('issued')
  })
})

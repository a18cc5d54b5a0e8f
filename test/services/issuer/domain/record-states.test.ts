import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createRecordStore } from '#services/issuer/adapters/record-store.ts'
import {
  type RecordEvent,
  type RecordStatus,
  recordTransitions,
  shownStatus,
} from '#services/issuer/domain/record-states.ts'
import { type IssuerTables, issuerMigrations } from '#services/issuer/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'

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

async function openRecords() {
  const runtime = createTestRuntime()
  const database = await openDatabase<IssuerTables>({
    url: 'sqlite::memory:',
    service: 'issuer',
    migrations: issuerMigrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  return createRecordStore(database, runtime.clock)
}

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

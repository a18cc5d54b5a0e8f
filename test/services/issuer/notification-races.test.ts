import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createRecordStore, type RecordStore } from '#services/issuer/adapters/record-store.ts'
import { postNotifications } from '#services/issuer/routes/connector.ts'
import { type IssuerTables, issuerMigrations } from '#services/issuer/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'

async function openRecords(): Promise<RecordStore> {
  const runtime = createTestRuntime()
  const database = await openDatabase<IssuerTables>({
    url: 'sqlite::memory:',
    service: 'issuer',
    migrations: issuerMigrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  const records = createRecordStore(database, runtime.clock)
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

/** Notifies while something else happens right after the credential_id has been looked up. */
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

describe('a notification that brings a credential_id', () => {
  it('is taken where the same one came in between', async () => {
    const records = await openRecords()
    const reply = await notifyWhile(records, () => records.apply('first', 'issued', 'urn:minted'))
    expect(reply).toMatchObject({
      status: 200,
      body: { credential_id: 'urn:minted', status: 'issued' },
    })
  })

  it('is refused where another record got that credential_id in between', async () => {
    const records = await openRecords()
    const reply = notifyWhile(records, () => records.apply('second', 'issued', 'urn:minted'))
    await expect(reply).rejects.toMatchObject({ status: 400, code: 'credential_id_mismatch' })
    expect(await records.findById('first')).toMatchObject({
      status: 'pending',
      credential_id: 'urn:first',
    })
  })

  it('leaves a record revoked that was revoked in between, under its own credential_id', async () => {
    const records = await openRecords()
    const reply = notifyWhile(records, () => records.apply('first', 'revoked'))
    await expect(reply).rejects.toMatchObject({ status: 400, code: 'credential_id_mismatch' })
    expect(await records.findById('first')).toMatchObject({ status: 'revoked' })
  })
})

import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createRecordStore } from '#services/issuer/adapters/record-store.ts'
import { type IssuerTables, issuerMigrations } from '#services/issuer/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

it('leaves credentials of an earlier version their place in the status list', async () => {
  const runtime = createTestRuntime()
  const url = `sqlite:${createTemporaryFolder()}/issuer.sqlite`
  const open = (migrations: Partial<typeof issuerMigrations>) =>
    openDatabase<IssuerTables>({ url, service: 'issuer', migrations, runtime })
  const before = await open({ '2026-01-records': issuerMigrations['2026-01-records'] })
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
  const after = await open(issuerMigrations)
  onTestFinished(() => after.destroy())
  const rows = await after
    .selectFrom('records')
    .select(['position', 'status_index'])
    .orderBy('position')
    .execute()
  expect(rows.map(({ status_index }) => status_index)).toEqual([0, 1, 200_000])
  // The subject of an earlier record may get another type now, and not the same one.
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

import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { unseal } from '#kit/secrets.ts'
import {
  createIssuanceStore,
  digestOf,
  digestOfPin,
} from '#services/connector/adapters/issuance-store.ts'
import { type ConnectorTables, connectorMigrations } from '#services/connector/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

it('keeps offers and credentials of version 0.1.0', async () => {
  const runtime = createTestRuntime()
  const url = `sqlite:${createTemporaryFolder()}/connector.sqlite`
  const open = (migrations: Partial<typeof connectorMigrations>) =>
    openDatabase<ConnectorTables>({ url, service: 'connector', migrations, runtime })
  const { '2026-01-issuances': tables, '2026-02-recipe': recipe } = connectorMigrations
  const before = await open({ '2026-01-issuances': tables, '2026-02-recipe': recipe })
  const asked = { credential_type: 'A', holder_did: 'did:key:z6Mk' }
  const signed = { ...asked, credential: 'e.y.J' }
  const rows = [
    { state: 'offered' },
    { state: 'redeemed', c_nonce: 'nonce', pin_digest: digestOf('1234') },
    { state: 'deferred', ...asked, ready_at: 7, acceptance_token_digest: digestOf('token') },
    { state: 'signed', ...signed, credential_id: 'urn:uuid:3' },
    { state: 'delivered', ...signed, credential_id: 'urn:uuid:4', revoked: 1 },
    { state: 'ended', revoked: 1 },
  ]
  for (const [index, row] of rows.entries()) {
    const required = {
      id: `id-${index}`,
      subject_id: `subject-${index}`,
      preauth_code: `code-${index}`,
      access_token_digest: digestOf(`access-${index}`),
      vc_names: '["A"]',
      pin_attempts: 0,
      offer_expires_at: 0,
      revoked: 0,
      created_at: 1,
      updated_at: 1,
    }
    await before
      .insertInto('issuances')
      .values({ ...required, ...row } as never)
      .execute()
  }
  await before.destroy()

  const after = await open(connectorMigrations)
  onTestFinished(() => after.destroy())
  const store = createIssuanceStore(after, runtime.clock, 60)
  const found = await Promise.all(
    rows.map((_, index) => store.findByAccessToken(`access-${index}`)),
  )
  expect(found.map((row) => row?.state)).toEqual(['offered', ...Array(4).fill('redeemed'), 'ended'])
  expect(found[1]).toMatchObject({
    c_nonce_digest: digestOf('nonce'),
    preauth_code_digest: digestOf('code-1'),
    pin_digest: digestOfPin('code-1', '1234'),
  })
  // Links of offers by reference that are under way stay good.
  const referred = await store.findByReference('id-0')
  expect(unseal(referred?.sealed_code ?? '', 'id-0')).toBe('code-0')
  expect((await store.findByAcceptanceToken('token'))?.credential).toMatchObject({
    ...asked,
    state: 'deferred',
    ready_at: 7,
  })
  expect((await store.findByCredentialId('urn:uuid:3'))?.credential).toMatchObject({
    ...asked,
    state: 'signed',
    credential: null,
    revoked: 0,
  })
  expect(await store.findByCredentialId('urn:uuid:4')).toMatchObject({
    issuance: { subject_id: 'subject-4' },
    credential: { state: 'delivered', revoked: 1 },
  })
  expect(await store.listCredentials(found[1]?.id ?? '')).toEqual([])
  expect(await store.listCredentials(found[2]?.id ?? '')).toHaveLength(1)
})

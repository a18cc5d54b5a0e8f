import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { digest, unseal } from '#kit/secrets.ts'
import { createIssuanceStore, digestOfPin } from '#services/connector/adapters/issuance-store.ts'
import { credentialSteps, offerSteps } from '#services/connector/domain/issuance-states.ts'
import { type ConnectorTables, migrations } from '#services/connector/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

async function openStore() {
  const runtime = createTestRuntime()
  const database = await openDatabase<ConnectorTables>({
    url: 'sqlite::memory:',
    service: 'connector',
    migrations: migrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  const store = createIssuanceStore(database, runtime.clock, 60)
  await store.offer({
    id: 'id-1',
    subject_id: 'subject-1',
    preauth_code_digest: digest('code-1'),
    reference_digest: digest('reference-1'),
    sealed_code: '',
    vc_names: '["A"]',
    tx_code: null,
    pin_digest: null,
    deferred_seconds: null,
    recipe: null,
    offer_expires_at: 0,
  })
  return { ...store, database, runtime }
}

const several = <Value>(work: () => Promise<Value>) => Promise.all(Array.from({ length: 20 }, work))

// Data that a request read earlier may have changed: the statement itself must decide.
describe('concurrent steps of an issuance', () => {
  it('one of 20 redemptions succeeds', async () => {
    const store = await openStore()
    const taken = await several(() =>
      store.take('redeem', 'id-1', {}, { preauth_code_digest: digest('code-1') }),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('a code cannot be redeemed once a newer offer has replaced it', async () => {
    const store = await openStore()
    expect(await store.take('redeem', 'id-1', {}, { preauth_code_digest: digest('code-0') })).toBe(
      false,
    )
    expect(await store.take('redeem', 'id-1', {}, { preauth_code_digest: digest('code-1') })).toBe(
      true,
    )
  })

  const wanted = { issuance_id: 'id-1', credential_type: 'A', holder_did: 'did:key:z' }

  it('signing works once, and only with the nonce of the proof', async () => {
    const store = await openStore()
    await store.take('redeem', 'id-1', { c_nonce_digest: digest('n-1') })
    await store.setNonce('id-1', 'n-2', 0)
    expect(await store.request('sign', wanted, { used: digest('n-1') })).toBe(false)
    const taken = await several(() => store.request('sign', wanted, { used: digest('n-2') }))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('a nonce is valid for only one of two credentials', async () => {
    const store = await openStore()
    await store.take('redeem', 'id-1', { c_nonce_digest: digest('n-1') })
    const taken = await Promise.all(
      ['A', 'B'].map((credential_type) =>
        store.request('sign', { ...wanted, credential_type }, { used: digest('n-1') }),
      ),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await store.listCredentials('id-1')).toHaveLength(1)
  })

  it('only the current nonce can be spent, and only once', async () => {
    const store = await openStore()
    await store.setNonce('id-1', 'n-1', 0)
    expect(await store.spendNonce('id-1', { used: digest('n-0') })).toBe(false)
    const spent = await several(() => store.spendNonce('id-1', { used: digest('n-1') }))
    expect(spent.filter(Boolean)).toHaveLength(1)
  })

  it('only five of 20 guesses are checked', async () => {
    const store = await openStore()
    const looks = await several(() => store.countPinAttempt('id-1', 5))
    expect(looks.filter(Boolean)).toHaveLength(5)
  })

  it('an issuance that is signed or delivered cannot end', async () => {
    const store = await openStore()
    await store.take('redeem', 'id-1', { c_nonce_digest: digest('n-1') })
    await store.request('sign', wanted, { used: digest('n-1') })
    expect(await store.takeCredential('end', wanted)).toBe(false)
    expect(await store.takeCredential('deliver', wanted)).toBe(true)
    expect(await store.takeCredential('end', wanted)).toBe(false)
  })

  it('no step returns to an offer, or leads to a credential that was not requested', () => {
    expect(Object.values(offerSteps).map(({ to }) => to)).not.toContain('offered')
    expect(Object.values(credentialSteps).map(({ to }) => to)).not.toContain('requested')
  })
})

describe('the purge', () => {
  const another = (name: string, now: number) => ({
    id: name,
    subject_id: name,
    preauth_code_digest: name,
    reference_digest: name,
    sealed_code: '',
    vc_names: '["A"]',
    tx_code: null,
    pin_digest: null,
    deferred_seconds: null,
    recipe: null,
    offer_expires_at: now + 300,
  })

  it('keeps an issuance for its retention time after the last event, then deletes all of it', async () => {
    const store = await openStore()
    const { runtime } = store
    const now = runtime.clock.seconds()
    await store.take('redeem', 'id-1', { access_token_expires_at: now + 1000 })
    await store.database
      .insertInto('credentials')
      .values({
        issuance_id: 'id-1',
        credential_type: 'B',
        state: 'delivered',
        holder_did: 'x',
        credential: 'sealed',
        revoked: 0,
        updated_at: now,
      })
      .execute()
    runtime.advance(990)
    await store.offer(another('second', runtime.clock.seconds()))
    expect((await store.listCredentials('id-1'))[0]?.credential).toBe('sealed')
    // The access token has expired, so the wallet cannot request the credential again.
    runtime.advance(61)
    await store.offer(another('third', runtime.clock.seconds()))
    expect((await store.listCredentials('id-1'))[0]?.credential).toBeNull()
    runtime.advance(61)
    await store.offer(another('fourth', runtime.clock.seconds()))
    expect(await store.findById('id-1')).toBeUndefined()
    expect(await store.listCredentials('id-1')).toEqual([])
    expect(await store.findById('second')).toBeDefined()
  })
})

it('keeps offers and credentials of version 0.1.0', async () => {
  const runtime = createTestRuntime()
  const url = `sqlite:${createTemporaryFolder()}/connector.sqlite`
  const open = (applied: Partial<typeof migrations>) =>
    openDatabase<ConnectorTables>({ url, service: 'connector', migrations: applied, runtime })
  const { '2026-01-issuances': tables, '2026-02-recipe': recipe } = migrations
  const before = await open({ '2026-01-issuances': tables, '2026-02-recipe': recipe })
  const asked = { credential_type: 'A', holder_did: 'did:key:z6Mk' }
  const signed = { ...asked, credential: 'e.y.J' }
  const rows = [
    { state: 'offered' },
    { state: 'redeemed', c_nonce: 'nonce', pin_digest: digest('1234') },
    { state: 'deferred', ...asked, ready_at: 7, acceptance_token_digest: digest('token') },
    { state: 'signed', ...signed, credential_id: 'urn:uuid:3' },
    { state: 'delivered', ...signed, credential_id: 'urn:uuid:4', revoked: 1 },
    { state: 'ended', revoked: 1 },
  ]
  for (const [index, row] of rows.entries()) {
    const required = {
      id: `id-${index}`,
      subject_id: `subject-${index}`,
      preauth_code: `code-${index}`,
      access_token_digest: digest(`access-${index}`),
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

  const after = await open(migrations)
  onTestFinished(() => after.destroy())
  const store = createIssuanceStore(after, runtime.clock, 60)
  const found = await Promise.all(
    rows.map((_, index) => store.findByAccessToken(`access-${index}`)),
  )
  expect(found.map((row) => row?.state)).toEqual(['offered', ...Array(4).fill('redeemed'), 'ended'])
  expect(found[1]).toMatchObject({
    c_nonce_digest: digest('nonce'),
    preauth_code_digest: digest('code-1'),
    pin_digest: digestOfPin('code-1', '1234'),
  })
  // Links to open offers by reference remain valid.
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

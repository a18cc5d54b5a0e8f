import { join } from 'node:path'
import { calculateJwkThumbprint, importJWK, SignJWT } from 'jose'
import type { Migration } from 'kysely/migration'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#kit/create-app.ts'
import { openDatabase } from '#kit/database.ts'
import { createOpenidAdapter } from '#kit/openid-provider/openid-adapter.ts'
import { postAsGet } from '#kit/openid-provider/openid-routes.ts'
import {
  type OpenidTables,
  openidDigestMigration,
  openidMigration,
} from '#kit/openid-provider/openid-tables.ts'
import { loadSigningKeys } from '#kit/openid-provider/signing-keys.ts'
import { type Clock, createRuntime, systemClock } from '#kit/runtime.ts'
import { digest } from '#kit/secrets.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'
import { findPostgres, startPostgres } from '#test/support/start-postgres.ts'
import { createTemporaryFolder, shareTemporaryFolder } from '#test/support/temporary-folder.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function createAdapters(url = 'sqlite::memory:') {
  const time = { now: 1_700_000_000 }
  const clock: Clock = { seconds: () => time.now, milliseconds: () => time.now * 1000 }
  const database = await openDatabase<OpenidTables>({
    url,
    service: 'adapter-test',
    migrations: { '0001-openid': openidMigration },
    runtime: createRuntime({ clock }),
  })
  closing.push(() => database.destroy())
  return { time, database, adapterFor: createOpenidAdapter(database, clock) }
}

// oidc-provider documents the contract of its adapters in example/my_adapter.js.
describe('createOpenidAdapter', () => {
  it('finds a stored object by id, and a session also by its uid', async () => {
    const { adapterFor } = await createAdapters()
    const sessions = adapterFor('Session')
    await sessions.upsert('session-1', { uid: 'uid-1', accountId: 'ana' }, 60)
    expect(await sessions.find('session-1')).toEqual({ uid: 'uid-1', accountId: 'ana' })
    expect(await sessions.findByUid('uid-1')).toEqual({ uid: 'uid-1', accountId: 'ana' })
    expect(await adapterFor('Grant').find('session-1')).toBeUndefined()
  })

  it('finds an object until a minute after its end, by the clock of the service', async () => {
    const { adapterFor, time } = await createAdapters()
    const codes = adapterFor('AuthorizationCode')
    await codes.upsert('code-1', { kind: 'AuthorizationCode' }, 60)
    time.now += 120
    expect(await codes.find('code-1')).toBeDefined()
    time.now += 1
    expect(await codes.find('code-1')).toBeUndefined()
  })

  it('does not store ids with which an attacker could impersonate a browser or a client', async () => {
    const { adapterFor, database } = await createAdapters()
    const code = { jti: 'code-1', kind: 'AuthorizationCode', grantId: 'g' }
    await adapterFor('AuthorizationCode').upsert('code-1', code, 60)
    const session = { jti: 'session-1', uid: 'uid-1', accountId: 'ana' }
    await adapterFor('Session').upsert('session-1', session, 60)
    const interaction = {
      jti: 'interaction-1',
      returnTo: 'https://idp.example/authorize/interaction-1',
      session: { uid: 'uid-1', cookie: 'session-1', accountId: 'ana' },
      params: { state: 'a "quoted" \u001f state' },
    }
    await adapterFor('Interaction').upsert('interaction-1', interaction as never, 60)
    const kept = JSON.stringify(await database.selectFrom('openid_artifacts').selectAll().execute())
    expect(kept).not.toMatch(/(code|session|interaction)-1/)

    expect(await adapterFor('AuthorizationCode').find('code-1')).toEqual(code)
    expect(await adapterFor('Session').find('session-1')).toEqual(session)
    expect(await adapterFor('Interaction').find('interaction-1')).toEqual({
      ...interaction,
      session: { uid: 'uid-1', accountId: 'ana' },
    })
    for (const id of [digest('session-1'), '', '\u001f']) {
      expect(await adapterFor('Session').find(id)).toBeUndefined()
    }
  })

  it('migrates the data of version 0.1.0', async () => {
    const url = `sqlite:${createTemporaryFolder()}/openid.sqlite`
    const open = (migrations: Record<string, Migration>) =>
      openDatabase<OpenidTables>({ url, service: 'test', migrations, runtime: createRuntime() })
    const former = await open({ '0001-openid': openidMigration })
    const token = { jti: 'refresh-1', grantId: 'g', clientId: 'party' }
    const row = { grant_id: 'g', uid: null, expires_at: null, consumed_at: null }
    await former
      .insertInto('openid_artifacts')
      .values({ model: 'RefreshToken', id: 'refresh-1', payload: JSON.stringify(token), ...row })
      .execute()
    await former.destroy()
    const database = await open({
      '0001-openid': openidMigration,
      '0010-digests': openidDigestMigration,
    })
    closing.push(() => database.destroy())
    const tokens = createOpenidAdapter(database, createRuntime().clock)('RefreshToken')
    expect(await tokens.find('refresh-1')).toEqual(token)
    const kept = await database.selectFrom('openid_artifacts').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('refresh-1')
  })

  it('finds nothing under an id that PostgreSQL cannot store', async ({ skip }) => {
    const programs = findPostgres()
    if (!programs) return skip('PostgreSQL is not installed (apt-get install postgresql)')
    const postgres = await startPostgres(programs)
    closing.push(() => postgres.stop())
    const { adapterFor, database } = await createAdapters(postgres.url)
    expect(await adapterFor('Client').find('a\0b')).toBeUndefined()
    expect(await adapterFor('Session').findByUid('\0')).toBeUndefined()
    await adapterFor('Client').upsert('a', {}, 60)
    expect(await adapterFor('Client').find('a')).toEqual({})
    await database.destroy()
  })

  it('replaces an object with the same id', async () => {
    const { adapterFor } = await createAdapters()
    const sessions = adapterFor('Session')
    await sessions.upsert('id-1', { uid: 'uid-1' }, 60)
    await sessions.upsert('id-1', { uid: 'uid-2' }, 60)
    expect(await sessions.findByUid('uid-1')).toBeUndefined()
    expect(await sessions.findByUid('uid-2')).toEqual({ uid: 'uid-2' })
  })

  it('marks a consumed code with the time of its use', async () => {
    const { adapterFor, time } = await createAdapters()
    const codes = adapterFor('AuthorizationCode')
    await codes.upsert('code-1', { grantId: 'g' }, 60)
    time.now += 5
    await codes.consume('code-1')
    expect(await codes.find('code-1')).toEqual({ grantId: 'g', consumed: time.now })
  })

  it('accepts only one of two simultaneous uses of a code', async () => {
    const { adapterFor } = await createAdapters()
    const codes = adapterFor('AuthorizationCode')
    await codes.upsert('code-1', { grantId: 'g' }, 60)
    await adapterFor('Grant').upsert('g', { accountId: 'ana' }, 60)
    await adapterFor('RefreshToken').upsert('refresh-1', { grantId: 'g' }, 60)
    const results = await Promise.allSettled([codes.consume('code-1'), codes.consume('code-1')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const rejected = results.find((result) => result.status === 'rejected')
    expect(rejected?.reason).toMatchObject({ error: 'invalid_grant', statusCode: 400 })
    // RFC 6749, 4.1.2: the tokens of the code are revoked.
    expect(await adapterFor('Grant').find('g')).toBeUndefined()
    expect(await adapterFor('RefreshToken').find('refresh-1')).toBeUndefined()
  })

  it('revokes codes and tokens with their grant, and nothing else', async () => {
    const { adapterFor } = await createAdapters()
    await adapterFor('AuthorizationCode').upsert('a', { grantId: 'g1' }, 60)
    await adapterFor('RefreshToken').upsert('b', { grantId: 'g1' }, 60)
    await adapterFor('RefreshToken').upsert('c', { grantId: 'g2' }, 60)
    await adapterFor('Interaction').upsert('d', { grantId: 'g1' }, 60)
    await adapterFor('RefreshToken').revokeByGrantId('g1')
    expect(await adapterFor('AuthorizationCode').find('a')).toBeUndefined()
    expect(await adapterFor('RefreshToken').find('b')).toBeUndefined()
    expect(await adapterFor('RefreshToken').find('c')).toBeDefined()
    expect(await adapterFor('Interaction').find('d')).toBeDefined()
  })

  it('deletes destroyed objects, and later expired ones', async () => {
    const { adapterFor, time, database } = await createAdapters()
    const sessions = adapterFor('Session')
    await sessions.upsert('gone', { uid: '1' }, 60)
    await sessions.destroy('gone')
    expect(await sessions.find('gone')).toBeUndefined()

    await sessions.upsert('old', { uid: '2' }, 60)
    time.now += 600
    await sessions.upsert('new', { uid: '3' }, 60)
    const rows = await database.selectFrom('openid_artifacts').select('id').execute()
    expect(rows).toEqual([{ id: digest('new') }])
  })
})

describe('POST at an endpoint for browsers', () => {
  let system: RunningService
  beforeAll(async () => {
    system = await startService(async (baseUrl) => ({
      app: createApp({
        name: 'provider',
        title: 'Provider',
        version: '1.0.0',
        description: 'Has an authorization endpoint.',
        baseUrl,
        runtime: createTestRuntime(),
        dependencies: {},
        routes: [postAsGet('/authorize')],
      }),
      close: async () => {},
    }))
  })
  afterAll(() => system.stop())

  const post = async (body: string) => {
    const answer = await fetch(`${system.baseUrl}/authorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      redirect: 'manual',
    })
    return { status: answer.status, location: answer.headers.get('location'), answer }
  }

  it('redirects to GET with the same parameters, also repeated ones', async () => {
    const { status, location } = await post('scope=openid&state=a%20b&state=ñ')
    expect([status, location]).toEqual([303, '/authorize?scope=openid&state=a+b&state=%C3%B1'])
  })

  it('rejects a form that does not fit into a URL, encoded or not', async () => {
    const length = 8000 - '/authorize?state='.length
    const longest = await post(`state=${'a'.repeat(length)}`)
    expect([longest.status, longest.location]).toEqual([303, expect.stringMatching(/^.{8000}$/)])
    for (const state of ['a'.repeat(length + 1), 'é'.repeat(3900), 'a'.repeat(9000)]) {
      const { status, answer } = await post(`state=${state}`)
      expect([status, await answer.json()]).toEqual([
        413,
        expect.objectContaining({ error: 'payload_too_large' }),
      ])
    }
  })
})

describe('loadSigningKeys', () => {
  const folder = shareTemporaryFolder()

  const open = () =>
    openDatabase<OpenidTables>({
      url: `sqlite:${join(folder, 'keys.sqlite')}`,
      service: 'keys-test',
      migrations: { '0001-openid': openidMigration },
      runtime: createRuntime(),
    })

  it('returns the same key to every process on one database, even after a restart', async () => {
    const [first, second] = [await open(), await open()]
    const [[a], [b]] = await Promise.all([
      loadSigningKeys(first, systemClock),
      loadSigningKeys(second, systemClock),
    ])
    expect(a).toEqual(b)
    await Promise.all([first.destroy(), second.destroy()])

    const again = await open()
    expect(await loadSigningKeys(again, systemClock)).toEqual([a])
    await again.destroy()
  })

  it('creates keys that jose can sign with, named by their RFC 7638 thumbprint', async () => {
    const database = await open()
    const [key] = await loadSigningKeys(database, systemClock)
    expect(key.kid).toBe(await calculateJwkThumbprint(key))
    const jwt = new SignJWT({}).setProtectedHeader({ alg: 'RS256' })
    expect(await jwt.sign(await importJWK(key))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(Buffer.from(key.n, 'base64url')).toHaveLength(256)
    await database.destroy()
  })
})

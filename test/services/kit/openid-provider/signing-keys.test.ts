import { join } from 'node:path'
import { calculateJwkThumbprint, importJWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { type OpenidTables, openidMigration } from '#kit/openid-provider/openid-tables.ts'
import { loadSigningKeys } from '#kit/openid-provider/signing-keys.ts'
import { createRuntime, systemClock } from '#kit/runtime.ts'
import { shareTemporaryFolder } from '#test/support/temporary-folder.ts'

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

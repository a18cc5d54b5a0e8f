import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import {
  createMemoryStore,
  credentialIdOf,
  type StoredCredential,
} from '#wallet-emulator/store/wallet-store.ts'

const createCredential = (text: string, receivedAt = 1): StoredCredential => ({
  id: credentialIdOf(text),
  format: 'jwt_vc_json',
  credential: text,
  credentialIssuer: 'http://127.0.0.1:4003',
  receivedAt,
})

const inNewFolder = () => createFileStore({ folder: join(createTemporaryFolder(), 'alice') })

describe.each([
  ['createFileStore', inNewFolder],
  ['createMemoryStore', () => createMemoryStore()],
] as const)('%s', (_, createStore) => {
  it('starts empty', async () => {
    const store = createStore()
    expect(await store.readAccount()).toBeUndefined()
    expect(await store.listCredentials()).toEqual([])
    expect(await store.removeCredential('0123456789abcdef')).toBe(false)
    expect(await store.removeCredential('../account')).toBe(false)
  })

  it.each([
    ['secp256k1', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('gives the account back: %s, did:%s', async (curve, didMethod) => {
    const store = createStore()
    const account = createAccount({ curve, didMethod })
    await store.createAccount(account)
    expect(await store.readAccount()).toEqual(account)
  })

  it('never overwrites a key', async () => {
    const store = createStore()
    const account = createAccount()
    await store.createAccount(account)
    await expect(store.createAccount(createAccount())).rejects.toMatchObject({
      code: 'wallet_exists',
    })
    expect(await store.readAccount()).toEqual(account)
  })

  it('keeps credentials, each once, and removes them', async () => {
    const store = createStore()
    const [first, second] = [createCredential('a', 1), createCredential('b', 2)]
    await store.addCredential(first)
    await store.addCredential(second)
    await store.addCredential({ ...first, receivedAt: 3 })
    expect(await store.listCredentials()).toEqual([first, second])
    expect(await store.removeCredential(first.id)).toBe(true)
    expect(await store.removeCredential(first.id)).toBe(false)
    expect(await store.listCredentials()).toEqual([second])
  })
})

describe('createFileStore', () => {
  it('writes what only the owner can read, and leaves nothing else behind', async () => {
    const folder = join(createTemporaryFolder(), 'alice')
    const store = createFileStore({ folder })
    await store.createAccount(createAccount())
    await store.addCredential(createCredential('a'))
    const modeOf = (...path: string[]) => statSync(join(folder, ...path)).mode & 0o777
    expect(readdirSync(folder).sort()).toEqual(['account.json', 'credentials'])
    expect(modeOf('account.json')).toBe(0o600)
    expect(modeOf('credentials')).toBe(0o700)
    expect(modeOf()).toBe(0o700)
    expect(modeOf('credentials', `${credentialIdOf('a')}.json`)).toBe(0o600)
  })

  it('loses no credential to writers at the same time', async () => {
    const folder = join(createTemporaryFolder(), 'alice')
    const texts = Array.from({ length: 20 }, (_, i) => `credential ${i}`)
    await Promise.all(
      texts.map((text) => createFileStore({ folder }).addCredential(createCredential(text))),
    )
    const found = await createFileStore({ folder }).listCredentials()
    expect(found.map(({ credential }) => credential).sort()).toEqual(texts.sort())
  })

  it('says which file is damaged', async () => {
    const folder = join(createTemporaryFolder(), 'alice')
    const store = createFileStore({ folder })
    await store.createAccount(createAccount())
    writeFileSync(join(folder, 'account.json'), '{"version":1')
    await expect(store.readAccount()).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining('account.json'),
    })
  })

  it('takes no file for another credential than the one of its name', async () => {
    const folder = join(createTemporaryFolder(), 'alice')
    const store = createFileStore({ folder })
    await store.addCredential(createCredential('a.b.c'))
    const nameOf = (text: string) => join(folder, 'credentials', `${credentialIdOf(text)}.json`)
    renameSync(nameOf('a.b.c'), nameOf('d.e.f'))
    await expect(store.listCredentials()).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining(credentialIdOf('d.e.f')),
    })
  })

  it('sends everything through its codec', async () => {
    const folder = join(createTemporaryFolder(), 'alice')
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0xff)
    const store = createFileStore({
      folder,
      codec: {
        encode: async (text) => flip(Buffer.from(text)),
        decode: async (bytes) => Buffer.from(flip(bytes)).toString(),
      },
    })
    const account = createAccount()
    await store.createAccount(account)
    expect(await store.readAccount()).toEqual(account)
    expect(readFileSync(join(folder, 'account.json')).includes('privateKey')).toBe(false)
  })
})

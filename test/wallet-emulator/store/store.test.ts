import { createDecipheriv, scryptSync } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { createFileStore } from '#wallet-emulator/store/create-file-store.ts'
import { createPassphraseCodec } from '#wallet-emulator/store/create-passphrase-codec.ts'
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
  ] as const)('returns the account: %s, did:%s', async (curve, didMethod) => {
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
  it('writes files that only the owner can read, and leaves nothing else behind', async () => {
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

  it('loses no credential with concurrent writers', async () => {
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

  it('accepts a file only for the credential in its name', async () => {
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

const cost = { N: 1024, r: 8, p: 1 }
const passphrase = 'correct horse battery staple'
const codecOf = (text = passphrase) => createPassphraseCodec(text, { cost })

const credentialOf = (credential: string) => ({
  id: credentialIdOf(credential),
  format: 'jwt_vc_json',
  credential,
  credentialIssuer: 'https://issuer.example',
  receivedAt: 1,
})

/** Reads a file as the README describes, with only node:crypto. */
function decryptByHand(file: Buffer, name: string, secret: string): string {
  expect(file.subarray(0, 11).toString('latin1')).toBe('LEARWALLET\x01')
  const [logN = 0, r = 0, p = 0] = file.subarray(11, 14)
  const key = scryptSync(secret, file.subarray(14, 30), 64, { N: 2 ** logN, r, p }).subarray(0, 32)
  const decipher = createDecipheriv('aes-256-gcm', key, file.subarray(38, 50))
  decipher.setAAD(Buffer.concat([file.subarray(0, 54), Buffer.from(name)]))
  decipher.setAuthTag(file.subarray(-16))
  return decipher.update(file.subarray(54, -16), undefined, 'utf8') + decipher.final('utf8')
}

describe('createPassphraseCodec', () => {
  it('writes files that other implementations of scrypt and AES-256-GCM read', async () => {
    // RFC 7914, section 12, third vector: the scrypt that the reading by hand rests on.
    const vector = scryptSync('pleaseletmein', 'SodiumChloride', 64, { N: 16384, r: 8, p: 1 })
    expect(vector.toString('hex')).toBe(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
        'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    )
    const file = Buffer.from(await codecOf().encode('{"ünï": "código"}', 'account.json'))
    expect([...file.subarray(11, 14)]).toEqual([10, 8, 1])
    expect(decryptByHand(file, 'account.json', passphrase)).toBe('{"ünï": "código"}')
  })

  it('returns the text with a separate codec and any Unicode form of the passphrase', async () => {
    const bytes = await codecOf('contraseña').encode('text', 'a')
    expect(await codecOf('contrasen\u0303a').decode(bytes, 'a')).toBe('text')
  })

  it('uses one salt for each wallet and one nonce for each file, never twice', async () => {
    const codec = codecOf()
    const files = await Promise.all(['1', '2', '3'].map((text) => codec.encode(text, 'a')))
    const salts = new Set(files.map((file) => Buffer.from(file.subarray(14, 30)).toString('hex')))
    const nonces = new Set(files.map((file) => Buffer.from(file.subarray(38, 50)).toString('hex')))
    expect([salts.size, nonces.size]).toEqual([1, 3])
    const [first = new Uint8Array()] = files
    const other = await codecOf().encode('1', 'a')
    expect(other.subarray(14, 30)).not.toEqual(first.subarray(14, 30))

    const later = codecOf()
    await later.decode(first, 'a')
    expect((await later.encode('4', 'a')).subarray(11, 30)).toEqual(first.subarray(11, 30))
  })

  it('derives the key once for all files of a wallet, at the requested cost', async () => {
    const codec = createPassphraseCodec(passphrase, { cost: { N: 2 ** 15 } })
    const began = performance.now()
    const first = await codec.encode('x', 'a')
    const once = performance.now() - began
    const again = performance.now()
    for (let i = 0; i < 200; i++) await codec.decode(first, 'a')
    expect(performance.now() - again).toBeLessThan(once * 40)
    expect([...first.subarray(11, 14)]).toEqual([15, 8, 1])
    expect((await codecOf().encode('x', 'a')).subarray(11, 14)).not.toEqual(first.subarray(11, 14))
  })

  it('uses 128 MiB by default', async () => {
    const file = await createPassphraseCodec(passphrase).encode('x', 'a')
    expect([...file.subarray(11, 14)]).toEqual([17, 8, 1])
  })

  it('detects a wrong passphrase', async () => {
    const bytes = await codecOf().encode('text', 'a')
    await expect(codecOf('Correct horse').decode(bytes, 'a')).rejects.toMatchObject({
      code: 'wrong_passphrase',
    })
  })

  it('detects a change of any byte', async () => {
    const codec = codecOf()
    const bytes = await codec.encode('some plain text to encrypt', 'a')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(codec.decode(changed, 'a')).rejects.toMatchObject({ code: 'store_damaged' })
    }
    for (const length of [0, 10, 54, 60, bytes.length - 1]) {
      const cut = codec.decode(bytes.subarray(0, length), 'a')
      await expect(cut).rejects.toMatchObject({ code: 'store_damaged' })
    }
  })

  it('rejects a file in place of another', async () => {
    const codec = codecOf()
    const bytes = await codec.encode('text', 'credentials/0123456789abcdef.json')
    await expect(codec.decode(bytes, 'account.json')).rejects.toMatchObject({
      code: 'store_damaged',
    })
  })

  it('limits the cost of reading a file, regardless of its header', async () => {
    const codec = codecOf()
    const bytes = Buffer.from(await codec.encode('text', 'a'))
    for (const [logN, r, p] of [
      [63, 8, 1],
      [20, 255, 1],
      [10, 8, 255],
      [0, 8, 1],
      [10, 0, 1],
    ] as const) {
      const dear = Buffer.from(bytes)
      dear.set([logN, r, p], 11)
      dear.writeUInt32BE(crc32(dear.subarray(0, 50)), 50)
      const began = performance.now()
      await expect(codec.decode(dear, 'a')).rejects.toMatchObject({ code: 'store_damaged' })
      expect(performance.now() - began).toBeLessThan(10_000)
    }
  })

  it.each([
    ['no passphrase', '', {}],
    ['a cost that is not a power of two', 'x', { cost: { N: 1000 } }],
    ['a cost that is too low', 'x', { cost: { N: 1 } }],
  ])('throws with %s', (_, text, options) => {
    expect(() => createPassphraseCodec(text, options)).toThrow(TypeError)
  })
})

describe('an encrypted store', () => {
  const inFolder = async () => {
    const folder = join(createTemporaryFolder(), 'alice')
    const store = createFileStore({ folder, codec: codecOf() })
    const account = createAccount()
    await store.createAccount(account)
    await store.addCredential(credentialOf('eyJhbGciOiJFUzI1NksifQ.credential-a.x'))
    await store.addCredential(credentialOf('eyJhbGciOiJFUzI1NksifQ.credential-b.x'))
    return { folder, account }
  }

  it('returns account and credentials, and its files reveal neither', async () => {
    const { folder, account } = await inFolder()
    const store = createFileStore({ folder, codec: codecOf() })
    expect(await store.readAccount()).toEqual(account)
    expect(await store.listCredentials()).toHaveLength(2)
    const files = [
      'account.json',
      ...readdirSync(join(folder, 'credentials')).map((n) => `credentials/${n}`),
    ]
    expect(files).toHaveLength(3)
    for (const file of files) {
      const bytes = readFileSync(join(folder, file)).toString('latin1')
      for (const secret of ['privateKey', 'credential-a', 'issuer.example', passphrase]) {
        expect(bytes).not.toContain(secret)
      }
    }
  })

  it('says whether the passphrase is wrong or missing', async () => {
    const { folder } = await inFolder()
    const wrong = createFileStore({ folder, codec: codecOf('wrong') })
    await expect(wrong.readAccount()).rejects.toMatchObject({ code: 'wrong_passphrase' })
    await expect(wrong.listCredentials()).rejects.toMatchObject({ code: 'wrong_passphrase' })
    const without = createFileStore({ folder })
    await expect(without.readAccount()).rejects.toMatchObject({ code: 'passphrase_required' })
  })

  it('names the file that is damaged or does not match', async () => {
    const { folder } = await inFolder()
    const store = createFileStore({ folder, codec: codecOf() })
    const [a = '', b = ''] = readdirSync(join(folder, 'credentials'))
    renameSync(join(folder, 'credentials', a), join(folder, 'credentials', b))
    await expect(store.listCredentials()).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining(b),
    })
    writeFileSync(join(folder, 'account.json'), '{"version": 1}')
    await expect(store.readAccount()).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining('account.json'),
    })
  })

  it.each([
    ['a different passphrase', codecOf('another'), 'wrong_passphrase'],
    ['none', undefined, 'passphrase_required'],
  ])('rejects further files with %s', async (_, codec, code) => {
    const folder = createTemporaryFolder()
    const own = createFileStore({ folder, codec: codecOf() })
    await own.createAccount(createAccount())
    const other = createFileStore({ folder, ...(codec && { codec }) })
    await expect(other.addCredential(credentialOf('a.b.c'))).rejects.toMatchObject({ code })
    expect(readdirSync(join(folder, 'credentials'))).toEqual([])
    await own.addCredential(credentialOf('a.b.c'))
    expect(await own.listCredentials()).toHaveLength(1)
  })
})

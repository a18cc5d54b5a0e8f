import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { holderCurves } from '#core/crypto/suites.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { accountOfKey } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'
import { looksEncrypted, type StoreCodec } from './create-passphrase-codec.ts'
import type { WalletStore } from './wallet-store.ts'

const zPrivateJwk = z.discriminatedUnion('kty', [
  z.object({
    kty: z.literal('EC'),
    crv: z.enum(holderCurves),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
  z.object({ kty: z.literal('OKP'), crv: z.enum(holderCurves), x: z.string(), d: z.string() }),
])

/** An account as it is kept: the key and the DID method; the rest follows from them. */
const zStoredAccount = z
  .object({
    version: z.literal(1),
    didMethod: z.enum(['key', 'jwk']),
    privateKey: zPrivateJwk,
  })
  .transform(({ didMethod, privateKey }) => accountOfKey({ didMethod, privateKey }))

const zStoredCredential = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  format: z.string(),
  credential: z.string(),
  credentialIssuer: z.string(),
  receivedAt: z.number(),
})

/** Where a store keeps its files, and in which form. */
export interface CreateFileStoreOptions {
  /** A folder of this wallet's own; it is made when something is first written. */
  readonly folder: string
  /** By default the files are plain JSON; {@link createPassphraseCodec} encrypts them. */
  readonly codec?: StoreCodec
}

const idPattern = /^[0-9a-f]{16}$/

const plain: StoreCodec = {
  encode: (text) => Buffer.from(text),
  decode(bytes) {
    if (!looksEncrypted(bytes)) return Buffer.from(bytes).toString('utf8')
    throw walletError('passphrase_required', 'This wallet is encrypted with a passphrase.')
  },
}

/**
 * A store in a folder: `account.json`, and one file a credential, so that two processes that add
 * credentials at once lose none. Files are written whole before they appear, readable by their owner
 * alone. Credentials are added only where the account can be read. A file that is no longer what was written throws a TestbedError `store_damaged`; one that was
 * written with another passphrase, or with one at all, `wrong_passphrase` and `passphrase_required`.
 */
export function createFileStore({ folder, codec = plain }: CreateFileStoreOptions): WalletStore {
  const accountName = 'account.json'
  const credentialsFolder = join(folder, 'credentials')
  const nameOf = (id: string) => {
    if (!idPattern.test(id)) throw new TypeError(`not the id of a credential: ${id}`)
    return `credentials/${id}.json`
  }

  /** False where there is such a file already: unlike a rename, a link never replaces one. */
  async function write(name: string, value: object): Promise<boolean> {
    await mkdir(credentialsFolder, { recursive: true, mode: 0o700 })
    const path = join(folder, name)
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      const bytes = await codec.encode(`${JSON.stringify(value, null, 2)}\n`, name)
      await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' })
      await link(temporary, path)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      await rm(temporary, { force: true })
    }
  }

  async function read<T>(name: string, parse: (value: unknown) => T): Promise<T | undefined> {
    const path = join(folder, name)
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (!bytes) return undefined
    try {
      return parse(JSON.parse(await codec.decode(bytes, name)))
    } catch (cause) {
      if (isTestbedError(cause) && cause.code !== 'store_damaged') throw cause
      throw walletError('store_damaged', `${path} is not what this wallet wrote there.`, { cause })
    }
  }

  const readAccount = () => read(accountName, (value) => zStoredAccount.parse(value))

  return {
    readAccount,

    async createAccount({ didMethod, privateKey }) {
      if (await write(accountName, { version: 1, didMethod, privateKey })) return
      throw walletError('wallet_exists', `There is a wallet in ${folder} already.`)
    },

    async listCredentials() {
      const names = await readdir(credentialsFolder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const stored = await Promise.all(
        names
          .filter((name) => name.endsWith('.json'))
          .map((name) =>
            read(`credentials/${name}`, (value) => {
              const credential = zStoredCredential.parse(value)
              if (`${credential.id}.json` === name) return credential
              throw new TypeError(`it holds the credential ${credential.id}`)
            }),
          ),
      )
      return stored
        .filter((credential) => credential !== undefined)
        .sort((a, b) => a.receivedAt - b.receivedAt || a.id.localeCompare(b.id))
    },

    async addCredential(credential) {
      // What is written under another passphrase than the account, or under none, is lost to its owner.
      await readAccount()
      await write(nameOf(credential.id), credential)
    },

    async removeCredential(id) {
      if (!idPattern.test(id)) return false
      return rm(join(folder, nameOf(id))).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      )
    },
  }
}

import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { holderCurves } from '#core/crypto/suites.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { accountOfKey } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'
import { createFolder } from './create-folder.ts'
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

/** The stored form of an account: the key and the DID method, from which the rest is derived. */
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
  /** A separate folder for this wallet. The first write creates it. */
  readonly folder: string
  /** Default: plain JSON. {@link createPassphraseCodec} encrypts the files. */
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
 * Creates a store in a folder: `account.json`, and one file per credential, so that two processes
 * can add credentials at the same time. Files are written atomically and are readable only by their
 * owner. Credentials are added only if the account can be read. Throws a TestbedError
 * `store_damaged` for a damaged file, `wrong_passphrase` for a file with a different passphrase,
 * and `passphrase_required` for an encrypted file without a passphrase.
 */
export function createFileStore({ folder, codec = plain }: CreateFileStoreOptions): WalletStore {
  const accountName = 'account.json'
  const credentialsFolder = join(folder, 'credentials')
  const nameOf = (id: string) => {
    if (!idPattern.test(id)) throw new TypeError(`not the id of a credential: ${id}`)
    return `credentials/${id}.json`
  }

  /** False if the file already exists. Unlike a rename, a link never replaces a file. */
  async function write(name: string, value: object): Promise<boolean> {
    await createFolder(credentialsFolder, 0o700)
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
      throw walletError('store_damaged', `${path} is damaged or was not written by this wallet.`, {
        cause,
      })
    }
  }

  const readAccount = () => read(accountName, (value) => zStoredAccount.parse(value))

  return {
    readAccount,

    async createAccount({ didMethod, privateKey }) {
      if (await write(accountName, { version: 1, didMethod, privateKey })) return
      throw walletError('wallet_exists', `The folder ${folder} already contains a wallet.`)
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
              throw new TypeError(`it contains the credential ${credential.id}`)
            }),
          ),
      )
      return stored
        .filter((credential) => credential !== undefined)
        .sort((a, b) => a.receivedAt - b.receivedAt || a.id.localeCompare(b.id))
    },

    async addCredential(credential) {
      // A credential encrypted with a different passphrase than the account would be lost.
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

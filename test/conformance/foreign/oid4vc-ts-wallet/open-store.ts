import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

export interface Account {
  readonly did: string
  readonly didUrl: string
  readonly privateJwk: JWK
}

export interface Store {
  readonly account: Account
  credentials(): readonly string[]
  add(credential: string): Promise<void>
  clear(): Promise<void>
}

/** A folder with an Ed25519 key, whose DID is a did:jwk, and the credentials: oid4vc-ts keeps nothing. */
export async function openStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true })
  const credentialsFile = join(folder, 'credentials.json')
  const read = async <T>(file: string, otherwise: T): Promise<T> =>
    JSON.parse(await readFile(file, 'utf8').catch(() => JSON.stringify(otherwise)))
  let held = await read<string[]>(credentialsFile, [])
  const keep = (credentials: string[]) => {
    held = credentials
    return writeFile(credentialsFile, JSON.stringify(held))
  }
  return {
    account: await openAccount(join(folder, 'key.json')),
    credentials: () => held,
    add: (credential) => keep([...held, credential]),
    clear: () => keep([]),
  }
}

async function openAccount(file: string): Promise<Account> {
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  const privateJwk: JWK = kept ? JSON.parse(kept) : await createKey()
  if (kept === undefined) await writeFile(file, JSON.stringify(privateJwk), { mode: 0o600 })
  const { d, ...publicJwk } = privateJwk
  const did = `did:jwk:${Buffer.from(JSON.stringify(publicJwk)).toString('base64url')}`
  return { did, didUrl: `${did}#0`, privateJwk }
}

async function createKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return exportJWK(privateKey)
}

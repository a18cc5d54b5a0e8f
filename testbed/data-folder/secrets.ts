import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { restrictAccess, withPath } from '#kit/files.ts'
import { randomToken } from '#kit/secrets.ts'
import { secretsDamaged, seedMismatch } from './errors.ts'

/**
 * Writes a file that only its owner can read: writes a temporary file in the same folder, then
 * renames it, so that a reader never sees a partial file.
 */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    withPath(path, () => {
      writeSync(file, text)
      fsyncSync(file)
    })
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/** API keys, passwords, cookie keys, client secrets, the control token and the seed of a data folder. */
export interface Secrets {
  /** The seed of chain keys, DIDs and wallets. */
  readonly seed: string
  /** The secret with this name; a random one on first use. */
  get(name: string): string
  /** Writes new secrets to disk; call it before any of them is used. */
  save(): void
}

const zSecretsFile = z.object({
  version: z.literal(1),
  seed: z.string().min(1),
  secrets: z.record(z.string(), z.string().min(16)),
})

const fileName = 'secrets.json'

function readSecretsFile(path: string): z.infer<typeof zSecretsFile> | undefined {
  try {
    return zSecretsFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES') throw cause
    throw secretsDamaged(path, cause)
  }
}

/**
 * Opens `secrets.json` (mode 0600) of a data folder, or secrets that are only in memory. The seed
 * is random unless given, and never changes in a data folder.
 * @throws TestbedError `seed_mismatch` if the given seed differs from the folder's
 */
export function openSecrets({ folder, seed }: { folder?: string; seed?: string }): Secrets {
  const path = folder === undefined ? undefined : join(folder, fileName)
  if (path !== undefined) restrictAccess(path, 0o600)
  const found = path === undefined ? undefined : readSecretsFile(path)
  if (found !== undefined && seed !== undefined && found.seed !== seed) {
    throw seedMismatch(folder)
  }
  const chosenSeed = found?.seed ?? seed ?? randomToken()
  const secrets = new Map(Object.entries(found?.secrets ?? {}))
  let changed = found === undefined
  return {
    seed: chosenSeed,
    get(name) {
      const known = secrets.get(name)
      if (known !== undefined) return known
      const fresh = randomToken()
      secrets.set(name, fresh)
      changed = true
      return fresh
    },
    save() {
      if (path === undefined || !changed) return
      const file = { version: 1, seed: chosenSeed, secrets: Object.fromEntries(secrets) }
      writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`)
      changed = false
    },
  }
}

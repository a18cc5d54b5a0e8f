import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { didPrefixes } from '#core/did/did-org.ts'
import { serviceParts } from './compose/environment-services.ts'

/** What is in a data folder, as paths relative to it. */
export interface DataFolderContents {
  /** What a testbed wrote there. */
  readonly state: readonly string[]
  readonly wallets: readonly string[]
  readonly others: readonly string[]
}

const databaseOf = (name: string) => `${name}\\.sqlite(-wal|-shm|-journal)?`
// A process that is killed while it writes a file leaves the temporary one.
const sharedFiles = new RegExp(
  `^((testbed|secrets|manifest)\\.json(\\.\\d+\\.tmp)?|lock\\.\\d+(\\.stale)?|${databaseOf('mail')})$`,
)
const environmentFiles = new RegExp(
  `^(chain\\.journal.*|${databaseOf(`(${serviceParts.join('|')})`)})$`,
)

const entriesOf = (folder: string): readonly string[] =>
  existsSync(folder) && lstatSync(folder).isDirectory() ? readdirSync(folder).toSorted() : []

/** Lists a data folder, sorted by who made what; its lock is left out. */
export function listDataFolder(folder: string): DataFolderContents {
  const contents = { state: [] as string[], wallets: [] as string[], others: [] as string[] }
  const sortFolder = (
    name: string,
    kind: 'state' | 'wallets',
    isOurs: (entry: string) => boolean,
  ) => {
    for (const entry of entriesOf(join(folder, name))) {
      contents[isOurs(entry) ? kind : 'others'].push(join(name, entry))
    }
  }
  for (const name of entriesOf(folder)) {
    if (name === 'lock') continue
    if (Object.hasOwn(didPrefixes, name)) {
      sortFolder(name, 'state', (entry) => environmentFiles.test(entry))
    } else if (name === 'wallets') {
      const isWallet = (entry: string) => existsSync(join(folder, name, entry, 'account.json'))
      sortFolder(name, 'wallets', isWallet)
    } else contents[sharedFiles.test(name) ? 'state' : 'others'].push(name)
  }
  return contents
}

/** Removes these contents of a data folder, and its inner folders that are empty then. */
export function removeFromDataFolder(folder: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true })
  for (const name of [...Object.keys(didPrefixes), 'wallets']) {
    const inner = join(folder, name)
    if (existsSync(inner) && readdirSync(inner).length === 0) rmdirSync(inner)
  }
}

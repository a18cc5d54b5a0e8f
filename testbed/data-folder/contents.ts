import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { didPrefixes } from '#core/did/did-org.ts'
import { serviceParts } from '#testbed/process/ports.ts'

/** The contents of a data folder, as paths relative to it. */
interface DataFolderContents {
  /** Files that a testbed wrote there. */
  readonly state: readonly string[]
  readonly wallets: readonly string[]
  readonly others: readonly string[]
}

const databaseOf = (name: string) => `${name}\\.sqlite(-wal|-shm|-journal)?`

// A process that is killed while it writes a file leaves the temporary file.
const sharedFiles = new RegExp(
  `^((testbed|secrets|manifest)\\.json(\\.\\d+\\.tmp)?|lock\\.\\d+(\\.stale)?|${databaseOf('mail')})$`,
)

const environmentFiles = new RegExp(
  `^(chain\\.journal.*|${databaseOf(`(${serviceParts.join('|')})`)})$`,
)

const entriesOf = (folder: string): readonly string[] =>
  existsSync(folder) && lstatSync(folder).isDirectory() ? readdirSync(folder).toSorted() : []

/** Lists a data folder, sorted by what created each file; omits its lock. */
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
  // The folder may be a symbolic link to one, as the testbed accepts it. Those in it are not followed.
  for (const name of existsSync(folder) ? entriesOf(realpathSync(folder)) : []) {
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

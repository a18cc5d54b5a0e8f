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

// The data folder itself may be a symbolic link; links inside it are not followed.
const namesIn = (folder: string) => (existsSync(folder) ? entriesOf(realpathSync(folder)) : [])

/** `runs` and `targets` are the console's. */
const ownFolders = new Set([...Object.keys(didPrefixes), 'wallets', 'runs', 'targets'])

/** Whether a data folder has contents that no testbed wrote. Does not look into its subfolders. */
export const hasOtherContents = (folder: string): boolean =>
  namesIn(folder).some(
    (name) => name !== 'lock' && !ownFolders.has(name) && !sharedFiles.test(name),
  )

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
  for (const name of namesIn(folder)) {
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

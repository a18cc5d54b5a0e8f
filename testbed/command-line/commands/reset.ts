import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { startCommand } from '#scenarios/harness/command-line.ts'
import { lockDataFolder } from '../../lock-data-folder.ts'
import { listDataFolder, removeFromDataFolder } from '../../reset-data-folder.ts'
import { confirm } from '../terminal/ask.ts'
import { print, printJson, say } from '../terminal/print.ts'

export const summary = 'delete the state in a data folder, so that the next start is a fresh one'

interface ResetOptions {
  readonly data: string
  readonly wallets?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/**
 * Wallets stay unless asked for: a key may be known to other systems, and a credential may be needed
 * to find out what went wrong.
 */
async function reset(options: ResetOptions): Promise<void> {
  const folder = resolve(options.data)
  // Held until the end, so that no testbed starts on a folder that is half empty.
  const unlock = existsSync(folder) ? lockDataFolder(folder) : () => {}
  try {
    const { state, wallets, others } = listDataFolder(folder)
    const removed = options.wallets ? [...state, ...wallets] : state
    const kept = options.wallets ? others : [...wallets, ...others]
    if (removed.length > 0) {
      say(`To be deleted from ${folder}:`)
      for (const path of removed) say(`  ${path}`)
      if (kept.length > 0) say(`Kept: ${kept.join(', ')}`)
      await confirm('Delete these files?', options)
      removeFromDataFolder(folder, removed)
    }
    if (options.json) return printJson({ folder, removed, kept })
    if (removed.length === 0) return say(`There is nothing to delete in ${folder}.`)
    for (const path of removed) print(path)
    say(`Deleted. The next \`${startCommand}\` creates new keys, registries and accounts.`)
  } finally {
    unlock()
  }
}

export function configure(command: Command): void {
  command
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .option('--wallets', 'delete the wallets in the folder too; by default they are kept')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      `
Lists what it deletes, and asks first. Deletes only files that a testbed made: secrets, chain
journals, databases and testbed.json. Refuses while a testbed runs on the folder. A PostgreSQL
database (--database-url) is not touched.`,
    )
    .action(reset)
}

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { didPrefixes } from '#core/did/did-org.ts'
import { startCommand } from '#scenarios/harness/command-line.ts'
import { listDataFolder } from '#testbed/data-folder/contents.ts'
import { lockDataFolder } from '#testbed/data-folder/lock-data-folder.ts'
import { confirm, print, printJson, say } from '../terminal.ts'

export const summary = 'delete the state in a data folder; the next start creates new state'

export const examples = [
  ['reset', 'delete the state after a confirmation'],
  ['reset --wallets --yes', 'also delete the wallets, without a confirmation'],
] as const

export function configure(command: Command): void {
  command
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .option('--wallets', 'also delete the wallets in the folder; default: keep them')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText(
      'after',
      `
Lists the files and asks before it deletes them. Deletes only files that a testbed wrote: secrets, chain
journals, databases and testbed.json. Fails while a testbed is using the folder. A PostgreSQL
database (--database-url) is not touched.`,
    )
    .action(reset)
}

interface ResetOptions {
  readonly data: string
  readonly wallets?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/**
 * Wallets stay unless `--wallets` is given: other systems may know their keys, and a credential may
 * help to find the cause of a failure.
 */
async function reset(options: ResetOptions): Promise<void> {
  const folder = resolve(options.data)
  // Held until the end, so that no testbed starts on a half-deleted folder.
  const lock = existsSync(folder) ? lockDataFolder(folder) : undefined
  try {
    const { state, wallets, others } = listDataFolder(folder)
    const removed = options.wallets ? [...state, ...wallets] : state
    const kept = options.wallets ? others : [...wallets, ...others]
    if (removed.length > 0) {
      if (!options.yes) {
        say(`Files to delete from ${folder}:`)
        for (const path of removed) say(`  ${path}`)
        if (kept.length > 0) say(`Files to keep: ${kept.join(', ')}`)
        await confirm('Delete these files?', options)
      }
      removeFromDataFolder(folder, removed)
    }
    if (options.json) return printJson({ folder, removed, kept })
    if (removed.length === 0) return say(`There is nothing to delete in ${folder}.`)
    // A person who was asked has just read the list.
    if (options.yes) for (const path of removed) print(path)
    say(`Deleted. The next \`${startCommand}\` creates new keys, registries and accounts.`)
  } finally {
    lock?.release()
  }
}

/** Removes these contents of a data folder, and its subfolders that are then empty. */
function removeFromDataFolder(folder: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true })
  for (const name of [...Object.keys(didPrefixes), 'wallets']) {
    const inner = join(folder, name)
    if (existsSync(inner) && readdirSync(inner).length === 0) rmdirSync(inner)
  }
}

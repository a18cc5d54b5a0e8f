import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { handOver } from './hand-over.mjs'
import { installNode, localNode } from './install.mjs'
import { readNodeVersion } from './installed.mjs'
import { withLock } from './lock.mjs'
import { say } from './progress.mjs'

function cacheFolder() {
  const { XDG_CACHE_HOME: given } = process.env
  return join(given?.startsWith('/') ? given : join(homedir(), '.cache'), 'lear-testbed')
}

/**
 * Runs the program of the installed npm package with a new Node in the user's cache folder. Ends
 * this process as that one ends.
 */
export async function runFromCache(packageFolder) {
  try {
    const cache = cacheFolder()
    const version = readNodeVersion(packageFolder)
    let node = localNode(cache, version)
    if (node === undefined) {
      mkdirSync(cache, { recursive: true })
      say('only the command line downloads its own Node. To import lear-testbed, install Node 24')
      node = await withLock(
        join(cache, 'bootstrap.lock'),
        async () => localNode(cache, version) ?? (await installNode(cache, version)),
      )
    }
    const program = join(packageFolder, 'dist/testbed/command-line/main.js')
    await handOver(node, [program, ...process.argv.slice(2)], packageFolder)
  } catch (error) {
    console.error(`testbed: ${error instanceof Error ? error.message : error}`)
    process.exit(3)
  }
}

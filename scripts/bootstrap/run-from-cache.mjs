import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { handOver } from './hand-over.mjs'
import { installNode, localNode } from './install-node.mjs'
import { installDependencies } from './install-packages.mjs'
import { withLock } from './lock.mjs'
import { say } from './say.mjs'

/** What of the npm package the program needs; its dependencies are installed beside. */
const parts = ['dist', 'scripts']
const program = 'dist/testbed/command-line/main.js'

function cacheFolder() {
  const { XDG_CACHE_HOME: given } = process.env
  return join(given?.startsWith('/') ? given : join(homedir(), '.cache'), 'lear-testbed')
}

async function provideNode(cache, needed) {
  const present = localNode(cache, needed)
  if (present !== undefined) return present
  const folder = join(cache, '.node')
  mkdirSync(folder, { recursive: true })
  say(
    `Node ${process.versions.node} is older than the ${needed} that is needed: ` +
      `bringing one into ${folder} (once, about 60 MB)`,
  )
  return installNode(cache, needed)
}

/**
 * A copy of the package with dependencies of its own: npm leaves out native parts that the Node it
 * runs under is too old for, and that was the old one.
 */
async function installCopy({ packageFolder, manifest, target, cache, node }) {
  const unfinished = `${target}.${process.pid}`
  say(`installing the packages of ${manifest.name} for it (once, about a minute)`)
  try {
    mkdirSync(unfinished, { recursive: true })
    for (const part of parts) {
      cpSync(join(packageFolder, part), join(unfinished, part), { recursive: true })
    }
    const { name, version, type, dependencies, scarfSettings } = manifest
    const own = { name, version, private: true, type, dependencies, scarfSettings }
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify(own))
    await installDependencies(unfinished, cache, node)
    renameSync(unfinished, target)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/**
 * Runs the npm package's program by a new Node that is kept, with the packages for it, in the user's
 * cache folder, and ends this process as that one ends.
 */
export async function runFromCache(packageFolder, needed) {
  try {
    const cache = cacheFolder()
    const { build } = JSON.parse(readFileSync(join(packageFolder, 'dist/package.json'), 'utf8'))
    const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
    const copy = join(cache, `${manifest.version}-${build}`)
    let node = localNode(cache, needed)
    if (node === undefined || !existsSync(copy)) {
      mkdirSync(cache, { recursive: true })
      await withLock(join(cache, 'bootstrap.lock'), async () => {
        node = await provideNode(cache, needed)
        if (!existsSync(copy))
          await installCopy({ packageFolder, manifest, target: copy, cache, node })
      })
    }
    await handOver(node, [join(copy, program), ...process.argv.slice(2)], copy)
  } catch (error) {
    console.error(`testbed: ${error instanceof Error ? error.message : error}`)
    process.exit(3)
  }
}

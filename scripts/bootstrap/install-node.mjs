import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkAdvice, quietInstall, runQuietly } from './run-npm.mjs'
import { say } from './say.mjs'

// Apart from the main node_modules: `npm ci` empties that one, and would remove its own Node.
export const nodeFolderOf = (root) => join(root, '.node')
const nodeOf = (root) => join(nodeFolderOf(root), 'node_modules', 'node', 'bin', 'node')
const stampOf = (root) => join(nodeFolderOf(root), 'node_modules', '.installed-node')

/** Path of the Node in `.node/`, if it is complete and of this version. */
export function localNode(root, version) {
  try {
    const isThere = readFileSync(stampOf(root), 'utf8') === version && existsSync(nodeOf(root))
    return isThere ? nodeOf(root) : undefined
  } catch {
    return undefined
  }
}

/**
 * The package that holds the binary for this machine. The package `node` would choose it in an
 * install script, which npm may not be allowed to run.
 */
function binaryPackage() {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${arch}`
}

/** Installs an exact version of Node into `.node/` by npm, and returns its path. */
export async function installNode(root, version) {
  const folder = nodeFolderOf(root)
  mkdirSync(folder, { recursive: true })
  say(
    `Node ${process.versions.node} is too old, Node ${Number.parseInt(version, 10)} is needed: ` +
      `downloading Node ${version} into ${folder} (once, about 60 MB)`,
  )
  const advice = `${networkAdvice}\nOr install Node ${version} yourself: https://nodejs.org`
  // Else npm may take a package.json in a folder above for the one to install into.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--prefix', folder, `node@npm:${binaryPackage()}@${version}`]
  await runQuietly('npm', [...args, ...quietInstall], { cwd: folder, env: process.env, advice })
  const node = nodeOf(root)
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status !== 0 || stdout.trim() !== `v${version}`) {
    throw new Error(`The Node that npm installed, ${node}, does not run here.\n${advice}`)
  }
  writeFileSync(stampOf(root), version)
  return node
}

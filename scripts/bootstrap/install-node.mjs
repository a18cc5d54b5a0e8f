import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkAdvice, quietInstall, runQuietly } from './run-npm.mjs'

// Apart from the main node_modules: `npm ci` empties that one, and would remove its own Node.
const folderOf = (root) => join(root, '.node')
const nodeOf = (root) => join(folderOf(root), 'node_modules', 'node', 'bin', 'node')
const stampOf = (root) => join(folderOf(root), 'node_modules', '.installed-node')

/** Path of the Node in `.node/`, where there is one, complete and new enough. */
export function localNode(root, neededMajor) {
  try {
    const version = readFileSync(stampOf(root), 'utf8')
    return Number.parseInt(version, 10) >= neededMajor && existsSync(nodeOf(root))
      ? nodeOf(root)
      : undefined
  } catch {
    return undefined
  }
}

const versionOf = (node) => {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().replace(/^v/, '') : undefined
}

/** Installs Node into `.node/` by npm, and tells its path. */
export async function installNode(root, neededMajor) {
  const folder = folderOf(root)
  const node = nodeOf(root)
  const advice = `${networkAdvice}\nOr install Node ${neededMajor} yourself: https://nodejs.org`
  let version = versionOf(node)
  if (version === undefined || Number.parseInt(version, 10) < neededMajor) {
    // The package `node` fetches the binary in its install script; newer npm wants that allowed.
    const manifest = { private: true, allowScripts: { node: true } }
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const args = ['install', '--prefix', folder, `node@${neededMajor}`, ...quietInstall]
    await runQuietly('npm', args, { cwd: folder, env: process.env, advice })
    version = versionOf(node)
  }
  if (version === undefined || Number.parseInt(version, 10) < neededMajor) {
    throw new Error(`The Node that npm brought to ${node} does not run here.\n${advice}`)
  }
  writeFileSync(stampOf(root), version)
  return node
}

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The exact version of Node to install, from `.nvmrc`. */
export const readNodeVersion = (root) => readFileSync(join(root, '.nvmrc'), 'utf8').trim()

/** Whether a Node of the major version of `.nvmrc`, or a newer one, runs this. */
export const isNewEnough = (root) =>
  Number.parseInt(process.versions.node, 10) >= Number.parseInt(readNodeVersion(root), 10)

// Inside node_modules, so that it goes when somebody removes or half reinstalls that folder.
const stampOf = (root) => join(root, 'node_modules', '.installed-from-lockfile')

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

// The lockfile's contents, not its time: a checkout touches files without changing them.
const lockfileDigest = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/** Whether node_modules is what the present package-lock.json asks for, completely installed. */
export function isInstalled(root) {
  return read(stampOf(root))?.trim() === lockfileDigest(root)
}

/** Notes that node_modules has been installed from the present package-lock.json. */
export function markInstalled(root) {
  mkdirSync(dirname(stampOf(root)), { recursive: true })
  writeFileSync(stampOf(root), `${lockfileDigest(root)}\n`)
}

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The exact version of Node to install, from `.nvmrc`. */
export const readNodeVersion = (root) => readFileSync(join(root, '.nvmrc'), 'utf8').trim()

/** Whether this Node has the major version of `.nvmrc`, or a newer one. */
export const isNewEnough = (root) =>
  Number.parseInt(process.versions.node, 10) >= Number.parseInt(readNodeVersion(root), 10)

// Inside node_modules, so that it disappears if that folder is removed or partly reinstalled.
const stampOf = (root) => join(root, 'node_modules', '.installed-from-lockfile')

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

// The contents of the lockfile, not its time: a checkout touches files without changing them.
const lockfileDigest = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/** Whether node_modules is a complete installation of the current package-lock.json. */
export function isInstalled(root) {
  return read(stampOf(root))?.trim() === lockfileDigest(root)
}

/** Records that node_modules is an installation of the current package-lock.json. */
export function markInstalled(root) {
  mkdirSync(dirname(stampOf(root)), { recursive: true })
  writeFileSync(stampOf(root), `${lockfileDigest(root)}\n`)
}

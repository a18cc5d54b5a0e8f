import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The exact version of Node to install, from `.nvmrc`. */
export const readNodeVersion = (root) => readFileSync(join(root, '.nvmrc'), 'utf8').trim()

/** Whether a Node of the major version of `.nvmrc`, or a newer one, runs this. */
export const isNewEnough = (root) =>
  Number.parseInt(process.versions.node, 10) >= Number.parseInt(readNodeVersion(root), 10)

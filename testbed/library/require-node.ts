// The first import of every module for consumers, so that an older Node reports what is missing
// instead of an error deep in a dependency.
import { readFileSync } from 'node:fs'

const needed = Number.parseInt(readFileSync(new URL('../../.nvmrc', import.meta.url), 'utf8'), 10)
const found = process.versions.node
if (Number.parseInt(found, 10) < needed) {
  throw new Error(
    `The library lear-testbed requires Node ${needed} or newer. This is Node ${found}. ` +
      'Only the command line (`npx lear-testbed`) downloads the Node that it requires.',
  )
}

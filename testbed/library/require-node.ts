// Comes first in every module that consumers import, so that an older Node says what it lacks in
// place of an error deep in a dependency.
import { readFileSync } from 'node:fs'

const needed = Number.parseInt(readFileSync(new URL('../../.nvmrc', import.meta.url), 'utf8'), 10)
const found = process.versions.node
if (Number.parseInt(found, 10) < needed) {
  throw new Error(
    `lear-testbed needs Node ${needed} or newer as a library; this is Node ${found}. ` +
      'Only its command line (`npx lear-testbed`) brings the Node it needs.',
  )
}

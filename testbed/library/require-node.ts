// Comes first in every module that consumers import, so that an older Node says what it lacks in
// place of an error deep in a dependency.
import { readFileSync } from 'node:fs'

const needed = readFileSync(new URL('../../.nvmrc', import.meta.url), 'utf8').trim()
const found = process.versions.node
if (Number.parseInt(found, 10) < Number.parseInt(needed, 10)) {
  throw new Error(
    `lear-testbed needs Node ${needed} or newer as a library; this is Node ${found}. ` +
      'Its command line (`npx testbed`) brings the Node it needs.',
  )
}

// npm builds a dependency from git by this script alone: `prepack`, as its manual has it, it does
// not run there. Somebody who installs in the repository itself needs nothing built.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { INIT_CWD: begunIn = root } = process.env
if (realpathSync(begunIn) !== realpathSync(root)) await import('./prepack.mjs')

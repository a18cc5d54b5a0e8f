// npm builds a dependency from git with this script only: contrary to its manual, it does not run
// `prepack` for it. An installation in the repository itself needs no build.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { INIT_CWD: begunIn = root } = process.env
if (realpathSync(begunIn) !== realpathSync(root)) await import('./prepack.mjs')

/** The program behind `npm start` and `bin/testbed`. */
import { enableCompileCache } from 'node:module'
import { runCommandLine } from './run-command-line.ts'

// Inherited by the chain's process too; the bootstrap has set it already where it was used.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const { directory } = enableCompileCache()
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory
}
process.exitCode = await runCommandLine(process.argv.slice(2))

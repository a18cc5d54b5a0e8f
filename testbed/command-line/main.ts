/** The program behind `npm start` and `bin/testbed`. */
import { enableCompileCache } from 'node:module'
import { runCommandLine } from './run-command-line.ts'

// Inherited by the chain's process too; the bootstrap has set it already where it was used.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const { directory } = enableCompileCache()
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory
}
// Whoever reads may have had enough (`testbed list | head`): that ends no command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runCommandLine(process.argv.slice(2))
// A library's timer, such as that of a browser page that was cut off, must not keep a command that
// has finished waiting; what it has printed must have gone out, though.
const flushed = (stream: NodeJS.WriteStream) => new Promise((done) => stream.write('', done))
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit()

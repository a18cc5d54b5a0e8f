/** The program behind `npm start` and `bin/testbed`. */
import { describeFileError } from '#kit/files.ts'
import { exitCodes } from './exit-codes.ts'
import { runCommandLine } from './run-command-line.ts'

// A reader that closes the pipe early (`testbed list | head`) does not fail the command. Without
// stderr (`testbed run 2>&1 | head`), there is no place for a message.
process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  const reason = describeFileError(error) ?? error.message
  process.stderr.write(`testbed: Cannot write the output: ${reason}.\n`)
  process.exit(exitCodes.failed)
})
process.exitCode = await runCommandLine(process.argv.slice(2))
// A library's timer, such as that of an aborted browser page, must not delay the end of a finished
// command, but its output must be flushed.
const flushed = (stream: NodeJS.WriteStream) => new Promise((done) => stream.write('', done))
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit()

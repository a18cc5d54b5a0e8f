// Loaded first into the process that the bootstrap starts: where the bootstrap is killed outright,
// this process stops too, as if it had been asked to, and leaves no port taken.
import { Socket } from 'node:net'

const descriptor = Number(process.env.LEAR_TESTBED_PARENT_PIPE)
// Not for the processes that this one starts.
delete process.env.LEAR_TESTBED_PARENT_PIPE

if (Number.isInteger(descriptor)) {
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false })
  pipe.on('error', () => {})
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume()
  pipe.unref()
}

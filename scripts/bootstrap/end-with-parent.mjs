// Loaded first into the process that the bootstrap starts or becomes: if the bootstrap, or the npm
// that ran it, is killed, this process stops as on a signal and frees its ports.
import { Socket } from 'node:net'

const pollMilliseconds = 500

/** Calls back once the parent of this process is no longer the given one. */
export function onParentEnd(parent, onEnd) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, pollMilliseconds)
  timer.unref()
}

const { LEAR_TESTBED_PARENT_PIPE: pipeDescriptor, LEAR_TESTBED_PARENT: parent } = process.env
// Not for the processes that this one starts.
delete process.env.LEAR_TESTBED_PARENT_PIPE
delete process.env.LEAR_TESTBED_PARENT

const stop = () => process.kill(process.pid, 'SIGTERM')

if (pipeDescriptor !== undefined) {
  const pipe = new Socket({ fd: Number(pipeDescriptor), readable: true, writable: false })
  pipe.on('error', () => {})
  pipe.once('close', stop)
  pipe.resume()
  pipe.unref()
}
if (parent !== undefined) onParentEnd(Number(parent), stop)

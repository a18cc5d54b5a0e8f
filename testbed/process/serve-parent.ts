import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type ChildReport, type Numbered, toFailure } from './child-messages.ts'

export interface Served<Command> {
  /** What the parent waits for. */
  readonly ready: unknown
  /** Executes a command of the parent; the result must be plain data. */
  run(command: Command): unknown
}

// The parent may already have ended.
const report = (message: ChildReport, then = () => {}) => process.send?.(message, then)

/** Sends the parent an unsolicited message. */
export function sendToParent(payload: unknown): void {
  report({ payload })
}

/**
 * The child's end of a channel created by ../process/start-child.ts: starts the work of the
 * process, reports that it is ready, and answers commands. The process ends when the channel
 * closes, however the parent ended.
 * @param failureCode code for errors without a code
 * @param start gets the argument of the parent
 * @param load loads more modules while the argument is not there yet
 */
export async function serveParent<Command extends { readonly command: string }, Argument = unknown>(
  failureCode: string,
  start: (argument: Argument) => Promise<Served<Command>>,
  load = async () => {},
): Promise<void> {
  let isClosing = false
  process.on('disconnect', () => {
    if (isClosing) process.exit(0)
    // An exit first writes Node's compile cache, which takes many seconds if it is cold, while the
    // ports of a killed parent stay in use. So does `process.kill` of the own process.
    spawnSync('sh', ['-c', `kill -KILL ${process.pid}`])
    process.kill(process.pid, 'SIGKILL')
  })
  // The parent may have ended while the modules were loading, before the listener existed.
  if (!process.connected) process.exit(0)
  // The parent decides when this process ends.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  try {
    // The start reports a module that cannot be loaded.
    const loading = setImmediate(() => load().catch(() => {}))
    const [{ argument }] = (await once(process, 'message')) as [{ readonly argument: Argument }]
    clearImmediate(loading)
    const { ready, run } = await start(argument)
    process.on('message', async (command: Numbered<Command>) => {
      const { id } = command
      if (command.command === 'close') isClosing = true
      try {
        report({ id, result: (await run(command)) ?? null })
      } catch (thrown) {
        report({ id, failed: toFailure(thrown, failureCode) })
      }
    })
    report({ ready })
  } catch (thrown) {
    report({ failed: toFailure(thrown, failureCode) }, () => process.exit(1))
  }
}

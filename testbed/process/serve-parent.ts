import type { ChildReport, Numbered } from './child-messages.ts'
import { toFailure } from './child-messages.ts'

export interface Served<Command> {
  /** What the parent waits for. */
  readonly ready: unknown
  /** Does what the parent asks; its result has to be plain data. */
  run(command: Command): unknown
}

// The parent may be gone already: then nobody listens.
const report = (message: ChildReport, then = () => {}) => process.send?.(message, then)

/** Tells the parent something that it has not asked for. */
export function tellParent(told: unknown): void {
  report({ told })
}

/**
 * The child's end of a channel made by ../process/start-child.ts: starts what the process is for,
 * says that it is ready, and answers commands. The process ends when the channel does, however the
 * parent ended.
 * @param failureCode of errors that have none of their own
 */
export async function serveParent<Command extends { readonly command: string }>(
  failureCode: string,
  start: () => Promise<Served<Command>>,
): Promise<void> {
  let isClosing = false
  process.on('disconnect', () => {
    if (isClosing) process.exit(0)
    // An ordinary exit first writes Node's compile cache, for many seconds where it is cold, and
    // the ports of a parent that was killed stay taken as long.
    process.kill(process.pid, 'SIGKILL')
  })
  // It may have ended while the modules were loading, when nobody listened yet.
  if (!process.connected) process.exit(0)
  // The parent says what ends when.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  try {
    const { ready, run } = await start()
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

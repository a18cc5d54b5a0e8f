import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoginSetup } from './login-system.ts'

export interface RunningSystem {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts one side in a process of its own, so that relying party, browser, wallet and registries,
 * which are the same for both sides, are not counted as its work.
 */
export async function startSystem(
  name: 'ours' | 'peer',
  setup: Omit<LoginSetup, 'folder'>,
): Promise<RunningSystem> {
  const folder = await mkdtemp(join(tmpdir(), `login-${name}-`))
  const child = fork(join(import.meta.dirname, 'run-system.ts'), [name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.send({ ...setup, folder } satisfies LoginSetup)
  const ended = once(child, 'exit')
  const answer = await Promise.race([once(child, 'message'), ended])
  const url = (answer[0] as { url?: string } | null)?.url
  if (url === undefined) throw new Error(`the process of ${name} ended before it listened`)
  return {
    url,
    async stop() {
      child.disconnect()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

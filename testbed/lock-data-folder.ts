import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createFolder } from './create-folder.ts'

interface Holder {
  readonly pid: number
  /** When the process began, in the kernel's words: process ids are used again. */
  readonly began: string
}

function beginOf(pid: number): string {
  try {
    // Fields after the program's name in parentheses; the 20th of them is the start time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return fields?.[19] ?? ''
  } catch {
    return ''
  }
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return beginOf(pid) === began
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function refuse(folder: string, { pid }: Holder): never {
  throw new TestbedError({
    code: 'data_folder_in_use',
    status: 500,
    message: `A testbed is already running on the data folder ${folder} (process ${pid}).`,
    hints: ['Stop it first, or start this one on a folder of its own (--data DIR --port-base N).'],
  })
}

/**
 * Makes this process the only testbed on a data folder; what a killed one left behind is taken
 * over. The returned function gives the folder free and may be called twice.
 * @throws TestbedError `data_folder_in_use`, `data_folder_refused`
 */
export function lockDataFolder(folder: string): () => void {
  createFolder(folder)
  const path = join(folder, 'lock')
  const own = join(folder, `lock.${process.pid}`)
  writeFileSync(own, JSON.stringify({ pid: process.pid, began: beginOf(process.pid) }), {
    mode: 0o600,
  })
  try {
    for (;;) {
      try {
        // A link appears with its contents or not at all.
        linkSync(own, path)
        break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = readHolder(path)
      if (holder !== undefined && isAlive(holder)) refuse(folder, holder)
      const stale = `${own}.stale`
      renameSync(path, stale)
      const taken = readHolder(stale)
      if (taken !== undefined && isAlive(taken)) {
        // Somebody else was quicker to take over: it is theirs.
        renameSync(stale, path)
        refuse(folder, taken)
      }
      rmSync(stale, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
  let held = true
  return () => {
    if (held) rmSync(path, { force: true })
    held = false
  }
}

import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { restrictAccess, withPath } from '#kit/files.ts'
import { hasOtherContents } from './contents.ts'
import { cannotMakeFolder, folderInUse } from './errors.ts'

function create(folder: string): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return
    throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' })
  }
  const parent = dirname(folder)
  if (parent !== folder) create(parent)
  // One level at a time: if the system denies the request (`/proc`), `recursive` retries in an
  // endless loop.
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Creates a folder, and its parents, with access for its owner only. Restricts an existing folder
 * too.
 * @throws TestbedError `data_folder_refused`
 */
export function createFolder(folder: string): void {
  try {
    create(folder)
    restrictAccess(folder, 0o700)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Another process was faster.
    if (code === 'EEXIST' && existsSync(folder)) return
    throw cannotMakeFolder(folder, cause as NodeJS.ErrnoException)
  }
}

interface Holder {
  readonly pid: number
  /** When the process began, as the kernel reports it: process ids are reused. */
  readonly began: string
  readonly id: string
}

/** The lock of a data folder. */
export interface FolderLock {
  /** Not after the folder was deleted, even if another testbed created it again. */
  isHeld(): boolean
  /** Leaves the lock of another testbed. Can be called twice. */
  release(): void
}

const watchMilliseconds = 2000

function beginOf(pid: number): string {
  try {
    // Fields after the program's name in parentheses; the 20th is the start time.
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

/** Other users may need a folder with other contents, such as /tmp. */
function isShared(folder: string): boolean {
  try {
    return hasOtherContents(folder)
  } catch {
    // `createFolder` makes an unreadable folder of this user readable.
    return false
  }
}

/**
 * Makes this process the only testbed on a data folder; takes over the lock of a killed process.
 * @param onLost called when the folder was deleted
 * @throws TestbedError `data_folder_in_use`, `data_folder_refused`
 */
export function lockDataFolder(folder: string, onLost = () => {}): FolderLock {
  // The mode of a shared folder stays; only the owner can read the testbed's files in it.
  if (!isShared(folder)) createFolder(folder)
  const path = join(folder, 'lock')
  const own = join(folder, `lock.${process.pid}`)
  const id = randomUUID()
  const { pid } = process
  const text = JSON.stringify({ pid, began: beginOf(pid), id })
  try {
    withPath(path, () => writeFileSync(own, text, { mode: 0o600 }))
    for (;;) {
      try {
        // A link appears with its contents or not at all.
        linkSync(own, path)
        break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = readHolder(path)
      if (holder !== undefined && isAlive(holder)) throw folderInUse(folder, holder.pid)
      const stale = `${own}.stale`
      renameSync(path, stale)
      const taken = readHolder(stale)
      if (taken !== undefined && isAlive(taken)) {
        // Another process took over first and owns the lock.
        renameSync(stale, path)
        throw folderInUse(folder, taken.pid)
      }
      rmSync(stale, { force: true })
    }
  } finally {
    rmSync(own, { force: true })
  }
  const isHeld = () => {
    const holder = readHolder(path)
    // It may be there and unreadable, for example because too many files are open.
    return holder === undefined ? existsSync(path) : holder.id === id
  }
  // Open files stay writable after they were deleted, so that no write reports it.
  const watch = setInterval(() => {
    if (isHeld()) return
    clearInterval(watch)
    onLost()
  }, watchMilliseconds).unref()
  const release = () => {
    clearInterval(watch)
    process.off('exit', release)
    if (isHeld()) rmSync(path, { force: true })
  }
  // An end that is forced, or interrupts a start.
  process.on('exit', release)
  return { isHeld, release }
}

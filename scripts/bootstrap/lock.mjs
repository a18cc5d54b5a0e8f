import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { say } from './progress.mjs'

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const holderOf = (path) => {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** True if this process now holds the lock. A link appears with its contents or not at all. */
function acquire(path) {
  const own = `${path}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Runs `work` while no other process does the same. Takes over a lock whose holder has died.
 * @param path a file that exists while a process holds the lock, with the process id of the holder
 */
export async function withLock(path, work) {
  let reported = false
  while (!acquire(path)) {
    const holder = holderOf(path)
    if (holder !== undefined && !isAlive(holder)) {
      // Only one of several waiters may remove it: the others would remove the new holder's.
      const takeover = `${path}.takeover`
      if (acquire(takeover)) {
        try {
          if (holderOf(path) === holder) rmSync(path, { force: true })
        } finally {
          rmSync(takeover, { force: true })
        }
      } else if (!isAlive(holderOf(takeover) ?? process.pid)) {
        rmSync(takeover, { force: true })
      }
      continue
    }
    if (!reported && holder !== undefined) say(`waiting for process ${holder}, which is installing`)
    reported = true
    await setTimeout(200)
  }
  const release = () => {
    if (holderOf(path) === process.pid) rmSync(path, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

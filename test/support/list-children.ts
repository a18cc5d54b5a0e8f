import { readFileSync } from 'node:fs'

/** Ids of the processes that a process has started, as Linux tells. */
export function listChildren(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Whether there is such a process; one that has ended and nobody has asked about is none. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] !== 'Z'
  } catch {
    return false
  }
}

import { closeSync, openSync } from 'node:fs'

/**
 * The order in which resources are closed: first no new request is accepted, last the folder is
 * released.
 */
const phases = ['announcement', 'listeners', 'services', 'chains', 'process'] as const

type ClosingPhase = (typeof phases)[number]

/** Resources that were opened and must be closed. */
export interface Resources {
  /** Registers how to close a resource; closes it immediately if `close` was already called. */
  add(phase: ClosingPhase, close: () => Promise<void> | void): void
  /** Closes everything, even if something fails; can be called twice. */
  close(): Promise<void>
}

/** Keeps the open resources of a testbed, by the phase in which they are closed. */
export function createResources(onProblem: (problem: unknown) => void): Resources {
  const opened: { phase: ClosingPhase; close: () => Promise<void> | void }[] = []
  let closing: Promise<void> | undefined
  const closeQuietly = async (close: () => Promise<void> | void) => {
    try {
      await close()
    } catch (problem) {
      onProblem(problem)
    }
  }
  return {
    add(phase, close) {
      if (closing === undefined) opened.push({ phase, close })
      else closing = closing.then(() => closeQuietly(close))
    },
    close() {
      closing ??= (async () => {
        for (const phase of phases) {
          const due = opened.filter((each) => each.phase === phase)
          await Promise.all(due.map(({ close }) => closeQuietly(close)))
        }
      })()
      return closing
    },
  }
}

/** A testbed with a few clients opens this many in addition to those of its start. */
const spareFiles = 32

/** Whether the limit of this process allows the files and connections that a testbed opens. */
export function canOpenFiles(): boolean {
  const files: number[] = []
  try {
    while (files.length < spareFiles) files.push(openSync(process.execPath, 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code))
  } finally {
    files.forEach(closeSync)
  }
}

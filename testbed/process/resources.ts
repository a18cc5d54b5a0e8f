/** In this order things are closed: first nothing new comes in, last the folder is given free. */
const phases = ['announcement', 'listeners', 'services', 'chains', 'process'] as const

type ClosingPhase = (typeof phases)[number]

/** What has been opened and must be closed again. */
export interface Resources {
  /** Remembers how to close something. What comes after `close` is closed at once. */
  add(phase: ClosingPhase, close: () => Promise<void> | void): void
  /** Closes everything, whatever fails; may be called twice. */
  close(): Promise<void>
}

/** Keeps what a testbed has opened, by the phase in which it is closed. */
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

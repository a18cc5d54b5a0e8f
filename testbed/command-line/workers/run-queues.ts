import type { ScenarioRun } from '#scenarios/harness/select-scenarios.ts'

/** The scenarios of one worker. */
export interface RunQueue {
  /** What the worker runs next; undefined if nothing of this kind is left for it. */
  take(isExclusive: boolean): ScenarioRun | undefined
  /** What the worker has taken so far. */
  readonly taken: readonly ScenarioRun[]
  /** The worker is lost: no other worker runs what is left of its part. */
  close(): void
}

/** The scenarios of a run, by worker. */
export interface RunQueues {
  open(index: number): RunQueue
  /** Scenarios that no worker has taken. */
  left(): readonly ScenarioRun[]
}

const isAlone = ({ scenario }: ScenarioRun) => scenario.exclusive ?? false
const usesBrowser = ({ scenario }: ScenarioRun) => scenario.usesBrowser ?? false

/** What a worker runs first: an issuance if it has one, because other flows begin with one. */
function findFirst(part: readonly ScenarioRun[]): ScenarioRun | undefined {
  const plain = part.filter((run) => !usesBrowser(run) && !isAlone(run))
  return plain.find(({ id }) => id.startsWith('issuance/')) ?? plain[0]
}

/**
 * Creates the queues of the workers from their parts. A worker runs one scenario whose result comes
 * soon, then those with a real browser, which stay in their part. A worker that has finished its
 * part takes scenarios from the end of the longest other part, so that all workers end at about the
 * same time.
 *
 * Exclusive scenarios often wait. So that the others use the processors meanwhile, they come early,
 * and in one worker after the other, from the last to the first.
 */
export function createRunQueues(parts: readonly (readonly ScenarioRun[])[]): RunQueues {
  const queues = parts.map((part) => ({
    first: findFirst(part),
    waiting: [...part],
    isClosed: false,
  }))
  type Queue = (typeof queues)[number]
  const openQueues = () => queues.filter(({ isClosed }) => !isClosed)

  const isTurnOf = (queue: Queue) =>
    openQueues().findLast(({ waiting }) => waiting.some(isAlone)) === queue

  function findForeign(isExclusive: boolean): ScenarioRun | undefined {
    const [longest = []] = openQueues()
      .map(({ waiting }) =>
        waiting.filter((run) => isAlone(run) === isExclusive && !usesBrowser(run)),
      )
      .sort((one, other) => other.length - one.length)
    return longest.at(-1)
  }

  function findShared(own: Queue): ScenarioRun | undefined {
    const shared = own.waiting.filter((run) => !isAlone(run))
    const early = shared.find((run) => run === own.first) ?? shared.find(usesBrowser)
    if (early !== undefined || isTurnOf(own)) return early
    return shared[0] ?? findForeign(false)
  }

  function findExclusive(own: Queue): ScenarioRun | undefined {
    if (!isTurnOf(own) && findShared(own) !== undefined) return undefined
    return own.waiting.find(isAlone) ?? findForeign(true)
  }

  return {
    open(index) {
      const own = queues[index]
      if (own === undefined) throw new TypeError(`There is no worker ${index}.`)
      const taken: ScenarioRun[] = []
      return {
        taken,
        take(isExclusive) {
          const run = isExclusive ? findExclusive(own) : findShared(own)
          if (run === undefined) return undefined
          for (const queue of queues) queue.waiting = queue.waiting.filter((each) => each !== run)
          taken.push(run)
          return run
        },
        close() {
          own.isClosed = true
        },
      }
    },
    left: () => queues.flatMap(({ waiting }) => waiting),
  }
}

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

function sortPart(part: readonly ScenarioRun[]): ScenarioRun[] {
  const first = findFirst(part)
  const rankOf = (run: ScenarioRun) => (run === first ? 0 : usesBrowser(run) ? 1 : 2)
  return part.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/**
 * Creates the queues of the workers from their parts. A worker that has finished its part takes
 * scenarios from the end of the longest other part, so that all workers end at about the same time.
 * Scenarios with a real browser stay in their part. They run after one other scenario, whose result
 * comes soon.
 */
export function createRunQueues(parts: readonly (readonly ScenarioRun[])[]): RunQueues {
  const queues = parts.map((part) => ({
    waiting: sortPart(part),
    isClosed: false,
  }))

  function stealFrom(queue: (typeof queues)[number], isExclusive: boolean) {
    if (queue.isClosed) return []
    return queue.waiting.filter((run) => isAlone(run) === isExclusive && !usesBrowser(run))
  }

  return {
    open(index) {
      const own = queues[index]
      if (own === undefined) throw new TypeError(`There is no worker ${index}.`)
      const taken: ScenarioRun[] = []
      return {
        taken,
        take(isExclusive) {
          const mine = own.waiting.find((run) => isAlone(run) === isExclusive)
          const [longest = []] = queues
            .map((queue) => stealFrom(queue, isExclusive))
            .sort((one, other) => other.length - one.length)
          const run = mine ?? longest.at(-1)
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

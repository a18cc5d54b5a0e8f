/** Reports progress (standard error). */
export type Say = (line: string) => void

/** Another revision of this repository, to compare with. */
export interface Base {
  /** The first characters of its commit. */
  readonly revision: string
  /** Its folder, with installed packages. */
  readonly root: string
}

/** Starts both sides, measures them in this process, and stops them. */
export type Measurement = (say: Say, base?: Base) => Promise<readonly (Figure | Table)[]>

/** Numbers without a target. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** One row of the result table. */
export interface Figure {
  readonly what: string
  /** With its unit, for example `212 issuances/s`. */
  readonly ours: string
  /** The peer and its figure; absent if there is no peer. */
  readonly peer?: string
  /** For example `2.31 x, at least 1.5 x`. */
  readonly target: string
  /** Absent without a target. */
  readonly holds?: boolean
}

interface Contender {
  readonly name: string
  readonly operation: Operation
}

export interface Peer extends Contender {
  /** The target: the minimum ratio of our rate to the peer's; absent if there is none. */
  readonly atLeast?: number
  /** The only concurrency that the minimum is for. Default: each. */
  readonly atConcurrency?: number
}

interface Contest {
  /** The unit of the count, in the plural: `issuances`. */
  readonly unit: string
  readonly ours: Contender
  readonly peers: readonly Peer[]
  readonly loads: readonly Load[]
  /** Rounds of each side. Default: 5. */
  readonly rounds?: number
}

/**
 * Measures all sides alternately in one run, so that load on the machine affects each. A ratio is
 * the median of the rounds' ratios; a warm-up round of each does not count.
 */
export async function compare(contest: Contest, say: Say): Promise<Figure[]> {
  const { unit, peers, loads, rounds = 5 } = contest
  const sides: readonly Contender[] = [contest.ours, ...peers]
  const figures: Figure[] = []
  let index = 0
  const round = async ({ operation }: Contender, load: Load): Promise<LoadResult> => {
    const result = await runLoad(operation, load, index)
    index += load.operations
    return result
  }
  for (const load of loads) {
    const warmUp = { ...load, operations: Math.max(load.concurrency, load.operations >> 2) }
    for (const side of sides) await round(side, warmUp)
    const results = sides.map((): LoadResult[] => [])
    for (let turn = 1; turn <= rounds; turn++) {
      for (const [place, side] of sides.entries()) results[place]?.push(await round(side, load))
      const rates = results.map((side) => side.at(-1)?.rate.toFixed(1))
      say(`concurrency ${load.concurrency}, round ${turn}: ${rates.join(' to ')} per second`)
    }
    const [ours = [], ...others] = results
    for (const [place, { name, atLeast, atConcurrency }] of peers.entries()) {
      const hasTarget = (atConcurrency ?? load.concurrency) === load.concurrency
      const theirs = others[place] ?? []
      const ratio = median(ours.map(({ rate }, turn) => rate / (theirs[turn]?.rate ?? Number.NaN)))
      figures.push({
        what: `${unit}, concurrency ${load.concurrency}, compared with ${name}`,
        ours: describe(ours, unit),
        peer: describe(theirs, unit),
        ...judge(ratio, hasTarget ? { atLeast } : {}),
      })
    }
  }
  return figures
}

/** Compares a ratio with its target, if it has one. */
export function judge(
  ratio: number,
  { atLeast, atMost }: { readonly atLeast?: number | undefined; readonly atMost?: number },
): Pick<Figure, 'target' | 'holds'> {
  const measured = `${ratio.toFixed(2)} x`
  if (atLeast !== undefined) {
    return { target: `${measured}, at least ${atLeast} x`, holds: ratio >= atLeast }
  }
  if (atMost === undefined) return { target: measured }
  return { target: `${measured}, at most ${atMost} x`, holds: ratio <= atMost }
}

function describe(results: readonly LoadResult[], unit: string): string {
  const rate = median(results.map((result) => result.rate))
  const middle = median(results.map((result) => result.median))
  const tail = median(results.map((result) => result.percentile95))
  return `${rate.toFixed(1)} ${unit}/s (median ${middle.toFixed(1)} ms, 95 % below ${tail.toFixed(1)} ms)`
}

/**
 * Does one whole operation. `index` is unique within a contest; `worker` counts from 0 to the
 * concurrency, and the operations of one worker run in sequence.
 */
type Operation = (index: number, worker: number) => Promise<unknown>

interface Load {
  readonly concurrency: number
  /** Operations in one round. */
  readonly operations: number
}

interface LoadResult {
  /** Operations per second. */
  readonly rate: number
  /** Milliseconds; median. */
  readonly median: number
  /** Milliseconds; 95th percentile. */
  readonly percentile95: number
}

/** Runs one step of an operation; a measurement of costs counts what the server does in it. */
export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>

export const withoutSteps: Step = (_name, work) => work()

/** Runs the operations with this concurrency. The first failure ends the run. */
export async function runLoad(operation: Operation, load: Load, from = 0): Promise<LoadResult> {
  const durations: number[] = []
  let next = 0
  const began = performance.now()
  const work = async (_: unknown, worker: number) => {
    while (next < load.operations) {
      const index = from + next++
      const start = performance.now()
      await operation(index, worker)
      durations.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: load.concurrency }, work))
  const elapsed = performance.now() - began
  durations.sort((one, other) => one - other)
  return {
    rate: (durations.length / elapsed) * 1000,
    median: durations[Math.floor(durations.length * 0.5)] ?? 0,
    percentile95: durations[Math.floor(durations.length * 0.95)] ?? 0,
  }
}

/** The median of the values; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

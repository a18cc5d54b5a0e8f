import type { Figure } from './measurement.ts'
import { median } from './median.ts'
import { type Load, type LoadResult, type Operation, runLoad } from './run-load.ts'

interface Contender {
  readonly name: string
  readonly operation: Operation
}

export interface Contest {
  /** What is counted, in the plural: `issuances`. */
  readonly unit: string
  readonly ours: Contender
  readonly peer: Contender
  readonly loads: readonly Load[]
  /** Ours by peer, the least that design/architecture.md asks for. */
  readonly atLeast: number
  /** Rounds of each side, 5 unless told. */
  readonly rounds?: number
}

/**
 * Measures two sides by turns in one run, so that a machine that is busy for a while is busy for
 * both. The ratio is the median of the rounds' ratios; a warm-up round of each counts nothing.
 */
export async function compare(contest: Contest, say: (line: string) => void): Promise<Figure[]> {
  const figures: Figure[] = []
  let index = 0
  const round = async ({ operation }: Contender, load: Load): Promise<LoadResult> => {
    const result = await runLoad(operation, load, index)
    index += load.operations
    return result
  }
  for (const load of contest.loads) {
    const warmUp = { ...load, operations: Math.max(load.concurrency, load.operations >> 2) }
    await round(contest.ours, warmUp)
    await round(contest.peer, warmUp)
    const ours: LoadResult[] = []
    const peer: LoadResult[] = []
    for (let turn = 1; turn <= (contest.rounds ?? 5); turn++) {
      ours.push(await round(contest.ours, load))
      peer.push(await round(contest.peer, load))
      say(`concurrency ${load.concurrency}, round ${turn}: ${describeRound(ours, peer)}`)
    }
    const ratio = median(ours.map(({ rate }, turn) => rate / (peer[turn]?.rate ?? Number.NaN)))
    figures.push({
      what: `${contest.unit}, concurrency ${load.concurrency}`,
      ours: describe(ours, contest.unit),
      peer: `${contest.peer.name}: ${describe(peer, contest.unit)}`,
      target: `${ratio.toFixed(2)} x, at least ${contest.atLeast} x`,
      holds: ratio >= contest.atLeast,
    })
  }
  return figures
}

const describeRound = (ours: readonly LoadResult[], peer: readonly LoadResult[]): string =>
  `${ours.at(-1)?.rate.toFixed(1)} to ${peer.at(-1)?.rate.toFixed(1)} a second`

function describe(results: readonly LoadResult[], unit: string): string {
  const rate = median(results.map((result) => result.rate))
  const middle = median(results.map((result) => result.median))
  const tail = median(results.map((result) => result.percentile95))
  return `${rate.toFixed(1)} ${unit}/s (median ${middle.toFixed(1)} ms, 95 % below ${tail.toFixed(1)} ms)`
}

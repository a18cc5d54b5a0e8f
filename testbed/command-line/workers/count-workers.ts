// Below that many a second testbed costs more than it gives.
const runsPerWorker = 100
// Each takes about 400 MiB.
const most = 4

/** How many processes a run is worth on a machine with so many processors. */
export function countWorkers(runs: number, processors: number): number {
  return Math.max(1, Math.min(processors, most, Math.ceil(runs / runsPerWorker)))
}

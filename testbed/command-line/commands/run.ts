import { type Command, InvalidArgumentError } from 'commander'
import type { RunOptions } from '../run.ts'

export const summary = 'run scenario suites and report on them'

export function configure(command: Command): void {
  command
    .argument('[pattern]', 'regular expression on suite/scenario; by default all')
    .option(
      '--testbed <file>',
      "a running testbed's testbed.json; by default a testbed is started on free ports",
    )
    .option('--processes', 'start one with each service in a process of its own')
    .option('--report <dir>', 'folder for the reports', 'reports/scenarios')
    .option('--compare <results>', 'an earlier run; the reports tell what changed since')
    .option('--shard <i/n>', 'run the i-th of n parts')
    .option('--parallel <n>', 'how many scenarios run side by side in a process', readCount, 4)
    .option('--workers <n>', 'processes with a testbed each; by default as many as pay', readCount)
    .option('--seed <text>', 'names and keys follow from it, so that a run can be repeated')
    .option('--bail', 'begin no other scenario after the first that failed')
    .action(async (pattern: string | undefined, options: RunOptions) => {
      const { run } = await import('../run.ts')
      await run(pattern, options)
    })
}

function readCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count
  throw new InvalidArgumentError('A whole number from 1 to 64 is wanted.')
}

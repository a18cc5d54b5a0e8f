import type { Command } from 'commander'
import type { RunOptions } from '../run.ts'

export const summary = 'run scenario suites and report on them'

export function configure(command: Command): void {
  command
    .argument('[pattern]', 'regular expression on suite/scenario; by default all')
    .option(
      '--testbed <file>',
      "a running testbed's testbed.json; by default one is found or started",
    )
    .option('--report <dir>', 'folder for the reports', 'reports/scenarios')
    .option('--shard <i/n>', 'run the i-th of n parts')
    .option('--bail', 'begin no other scenario after the first that failed')
    .action(async (pattern: string | undefined, options: RunOptions) => {
      const { run } = await import('../run.ts')
      await run(pattern, options)
    })
}

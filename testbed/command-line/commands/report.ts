import { dirname } from 'node:path'
import type { Command } from 'commander'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { createDifference, hasNewFailures } from '#scenarios/reports/create-difference.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { exitCodes } from '../exit-codes.ts'
import { findResults, formatDifference, readResults } from '../read-results.ts'

export const summary = 'regenerate the reports of a run, or compare two runs'

export const examples = [
  ['report reports/scenarios', 'write the reports again'],
  ['report out --compare before', 'with the changes since an earlier run'],
  ['report diff before after', 'only the changes, in the terminal'],
] as const

export function configure(command: Command): void {
  command
    .argument('<results>', `a results.json of ${programCommand} run, or its folder`)
    .option('--report <dir>', 'folder for the reports; default: the folder of the results')
    .option('--compare <results>', 'an earlier run; the reports show the changes since then')
    .action((path: string, options: ReportOptions) => report(path, options))
  command
    .command('diff')
    .description(
      'show what is new, removed, newly failing, fixed or slower; exit code 1 if something broke',
    )
    .argument('<before>', 'a results.json or its folder')
    .argument('<after>', 'a results.json or its folder')
    .action((before: string, after: string, _: object, own: Command) =>
      printDifference(before, after, own.optsWithGlobals<ReportOptions>().json === true),
    )
}

interface ReportOptions {
  readonly report?: string
  readonly compare?: string
  readonly json?: boolean
}

async function report(path: string, options: ReportOptions): Promise<void> {
  const { report: folder, compare, json } = options
  const results = await readResults(path)
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const paths = await writeReports(folder ?? dirname(await findResults(path)), results, {
    earlier,
    workingFolder: process.cwd(),
  })
  process.stdout.write(json ? `${JSON.stringify(paths)}\n` : `${paths.join('\n')}\n`)
}

async function printDifference(before: string, after: string, json: boolean): Promise<void> {
  const difference = createDifference(await readResults(before), await readResults(after))
  process.stdout.write(
    json
      ? `${JSON.stringify(difference, undefined, 2)}\n`
      : formatDifference(difference, process.stdout),
  )
  if (hasNewFailures(difference)) process.exitCode = exitCodes.failed
}

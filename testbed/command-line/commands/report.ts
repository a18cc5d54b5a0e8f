import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { type Results, zResults } from '#scenarios/harness/z-results.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'

export const summary = 'make the reports of a run again from its results.json'

interface ReportOptions {
  readonly report?: string
  readonly json?: boolean
}

async function readResults(path: string): Promise<Results> {
  const refuse = (problem: string, cause?: unknown): never => {
    const message = `${path} holds no results of a run: ${problem}`
    throw new TestbedError({ code: 'invalid_option', status: 400, message, cause })
  }
  try {
    const parsed = zResults.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data : refuse(z.prettifyError(parsed.error))
  } catch (cause) {
    if (cause instanceof TestbedError) throw cause
    return refuse((cause as Error).message, cause)
  }
}

async function report(path: string, { report: folder, json }: ReportOptions): Promise<void> {
  const paths = await writeReports(folder ?? dirname(path), await readResults(path))
  process.stdout.write(json ? `${JSON.stringify(paths)}\n` : `${paths.join('\n')}\n`)
}

export function configure(command: Command): void {
  command
    .argument('<results>', 'a results.json that `testbed run` has written')
    .option('--report <dir>', 'folder for the reports; by default that of the results')
    .action((path: string, options: ReportOptions) => report(path, options))
}

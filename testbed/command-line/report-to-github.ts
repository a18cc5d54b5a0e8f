import { randomBytes } from 'node:crypto'
import { appendFile, stat } from 'node:fs/promises'
import type { Results } from '#scenarios/harness/z-results.ts'
import { annotateError, createAnnotations } from '#scenarios/reports/create-annotations.ts'
import type { Difference } from '#scenarios/reports/create-difference.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'

/** The environment variables of a GitHub Actions runner. */
export interface GithubEnvironment {
  readonly GITHUB_ACTIONS?: string | undefined
  readonly GITHUB_STEP_SUMMARY?: string | undefined
}

// The runner drops a larger summary completely: the limit is 1024 KiB per step.
const largestSummary = 1024 * 1024

/** Reports failures to GitHub Actions; outside of it, prints only errors. */
export interface GithubReporter {
  /**
   * Stops the runner from reading commands in the output until the returned function is first
   * called. The output shows answers of systems under test, which could contain commands.
   */
  holdCommands(): () => void
  /** Prints an annotation for each failure and appends the summary to the summary of the job. */
  report(results: Results, difference: Difference | undefined): Promise<void>
  /** Prints the error that ended a command, and an annotation of it. */
  printError(text: string): void
  /** Prints an annotation of an error that ended a command. */
  annotateError(text: string): void
}

async function addSummary(
  path: string,
  results: Results,
  difference: Difference | undefined,
): Promise<void> {
  const present = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  const limit = largestSummary - present
  await appendFile(path, createSummary(results, { difference, limit }))
}

/** Creates the reporter for this environment. The runner reads its commands from `stream`. */
export function createGithubReporter(
  { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY }: GithubEnvironment,
  stream: Pick<NodeJS.WriteStream, 'write'>,
): GithubReporter {
  const isThere = GITHUB_ACTIONS === 'true'
  const holdCommands = () => {
    if (!isThere) return () => {}
    const token = randomBytes(16).toString('hex')
    stream.write(`::stop-commands::${token}\n`)
    let isHeld = true
    return () => {
      if (isHeld) stream.write(`::${token}::\n`)
      isHeld = false
    }
  }
  const annotate = (text: string) => {
    if (isThere) stream.write(`${annotateError(text.trim())}\n`)
  }
  return {
    holdCommands,
    annotateError: annotate,
    async report(results, difference) {
      if (isThere) for (const line of createAnnotations(results)) stream.write(`${line}\n`)
      if (!GITHUB_STEP_SUMMARY) return
      await addSummary(GITHUB_STEP_SUMMARY, results, difference).catch((error: Error) => {
        process.stderr.write(`The job summary was not written: ${error.message}\n`)
      })
    },
    printError(text) {
      const resumeCommands = holdCommands()
      stream.write(text)
      resumeCommands()
      annotate(text)
    },
  }
}

import { randomBytes } from 'node:crypto'
import { appendFile, stat } from 'node:fs/promises'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createAnnotations } from '#scenarios/reports/create-annotations.ts'
import type { Difference } from '#scenarios/reports/create-difference.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'

/** What the runner of GitHub Actions says of itself in the environment. */
export interface GithubEnvironment {
  readonly GITHUB_ACTIONS?: string | undefined
  readonly GITHUB_STEP_SUMMARY?: string | undefined
}

// The runner drops a summary that is larger, whole: 1024 KiB for a step.
const largestSummary = 1024 * 1024

/** Where a run tells GitHub Actions what failed; outside of it nothing is told. */
export interface GithubReporter {
  /**
   * Has the runner read no commands in what is printed until the returned function is first called:
   * what systems under test answer is shown there, and could hold some.
   */
  holdCommands(): () => void
  /** Prints an annotation for each failure and adds the summary to that of the job. */
  report(results: Results, difference: Difference | undefined): Promise<void>
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

/** Speaks to GitHub Actions where a run happens there. `stream` is what its commands are read from. */
export function createGithubReporter(
  { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY }: GithubEnvironment,
  stream: Pick<NodeJS.WriteStream, 'write'>,
): GithubReporter {
  const isThere = GITHUB_ACTIONS === 'true'
  return {
    holdCommands() {
      if (!isThere) return () => {}
      const token = randomBytes(16).toString('hex')
      stream.write(`::stop-commands::${token}\n`)
      let isHeld = true
      return () => {
        if (isHeld) stream.write(`::${token}::\n`)
        isHeld = false
      }
    },
    async report(results, difference) {
      if (isThere) for (const line of createAnnotations(results)) stream.write(`${line}\n`)
      if (!GITHUB_STEP_SUMMARY) return
      await addSummary(GITHUB_STEP_SUMMARY, results, difference).catch((error: Error) => {
        process.stderr.write(`The job summary was not written: ${error.message}\n`)
      })
    },
  }
}

import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The plain last line of every run, for scripts. */
export const closingLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`

export interface TallyReporter {
  readonly reporter: Reporter
  counts(): Tally
  /** Readable lines: each skipped test with its reason, each failure with its first line. */
  remarks(): readonly string[]
}

/** True if a hook of a surrounding suite failed: the test never ran. */
function isBelowFailedSuite(test: TestCase): boolean {
  let parent: TestSuite | TestModule = test.parent
  while (true) {
    if (parent.errors().length > 0) return true
    if (parent.type === 'module') return false
    parent = parent.parent
  }
}

/**
 * Counts the tests of a run for its last line. A failure outside of a test (a file that cannot be
 * loaded, a hook, an unhandled rejection) counts as failed, and so does a skip without a reason.
 * @param isFiltered true if a name pattern omits tests, which requires no reason
 */
export function createTallyReporter({ isFiltered }: { isFiltered: boolean }): TallyReporter {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const remarks: string[] = []
  let hasEnded = false

  const fail = (remark: string) => {
    counts.failed += 1
    remarks.push(`failed: ${remark}`)
  }

  const countTest = (test: TestCase) => {
    const result = test.result()
    if (result.state === 'passed') counts.passed += 1
    else if (result.state === 'failed') {
      const [reason = ''] = (result.errors[0]?.message ?? '').split('\n')
      fail(`${test.module.relativeModuleId} > ${test.fullName}: ${reason}`)
    } else if (isBelowFailedSuite(test)) fail(`${test.fullName}: did not run`)
    else if (result.state === 'skipped') {
      const reason = result.note
      if (reason === undefined && !isFiltered) fail(`${test.fullName}: skipped without a reason`)
      else counts.skipped += 1
      if (reason !== undefined) remarks.push(`skipped: ${test.fullName}: ${reason}`)
    } else fail(`${test.fullName}: did not end`)
  }

  const countModule = (module: TestModule) => {
    const tests = [...module.children.allTests()]
    for (const error of module.errors()) fail(`${module.relativeModuleId}: ${error.message}`)
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) fail(`${suite.fullName}: ${error.message}`)
    }
    tests.forEach(countTest)
  }

  const reporter: Reporter = {
    onTestRunEnd(modules, unhandledErrors, reason) {
      hasEnded = true
      modules.forEach(countModule)
      for (const error of unhandledErrors) fail(`outside any test: ${error.message}`)
      if (reason === 'interrupted') fail('the run was interrupted')
      if (modules.length === 0) fail('no test was found')
    },
  }
  return {
    reporter,
    counts: () => (hasEnded ? { ...counts } : { ...counts, failed: counts.failed + 1 }),
    remarks: () => remarks,
  }
}

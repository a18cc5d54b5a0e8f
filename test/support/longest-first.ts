import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, the longest first; the rest goes by vitest's own order. */
const long = [
  'test/package/install.full.test.ts',
  'test/package/package.full.test.ts',
  'test/scenarios/suites.test.ts',
  'test/testbed/command-line/run.test.ts',
  'test/testbed/processes.test.ts',
  'test/testbed/up.test.ts',
]

/**
 * Begins with the longest files: one that comes last has every other processor wait for it. A fresh
 * clone knows nothing of earlier runs to go by.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const position = long.indexOf(relative(process.cwd(), moduleId).replaceAll('\\', '/'))
      return position === -1 ? long.length : position
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

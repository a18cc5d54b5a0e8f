import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that the slow test files take on two processors; each of the others takes about two. */
export const slowTests: Readonly<Record<string, number>> = {
  'test/package/install.full.test.ts': 90,
  'test/package/package.full.test.ts': 80,
  'test/scenarios/suites.test.ts': 60,
  'test/contracts/solidity.test.ts': 30,
  'test/testbed/start-testbed.test.ts': 20,
  'test/testbed/command-line/commands/run.test.ts': 25,
  'test/testbed/command-line/commands/up.test.ts': 20,
}

/**
 * Begins with the longest files: if a long file comes last, every other processor waits for it. A
 * fresh clone has no records of earlier runs.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) =>
      slowTests[relative(process.cwd(), moduleId).replaceAll('\\', '/')] ?? 0
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => seconds(other) - seconds(one))
  }
}

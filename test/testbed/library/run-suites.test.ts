import { expect, it } from 'vitest'
import { runSuites } from '#testbed/library/run-suites.ts'

it.each([
  // With none, every scenario would be left out without a failure.
  [{ parallelism: 0 }, 'parallelism must be at least 1'],
  [{ parallelism: Number.NaN }, 'parallelism'],
  [{ pattern: /login/ }, 'pattern must be a string'],
  [{ testbed: {} }, 'testbed.schemaVersion'],
  [{ testbde: {} }, 'testbde'],
])('the options of runSuites are checked without TypeScript: %j', async (options, named) => {
  await expect(runSuites(options as object)).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(named),
  })
})

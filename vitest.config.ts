import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/slow-tests.ts'

// `npm run test:full` runs what takes minutes, and only that.
const isFull = process.env.TEST_FULL === '1'
const fullTests = 'test/**/*.full.test.ts'

export default defineConfig({
  test: {
    include: isFull ? [fullTests] : ['test/**/*.test.ts'],
    exclude: isFull ? configDefaults.exclude : [...configDefaults.exclude, fullTests],
    pool: 'forks',
    // Loading every module again for each file takes half of the processor time.
    isolate: false,
    // The machines that run this have two cores. The tests of `npm test` spend a fifth of their time
    // waiting; those of the full run start many processes, which keep both cores busy.
    maxWorkers: isFull ? 2 : 3,
    // Ends a test that hangs. A busy machine takes several times as long as a quiet one.
    testTimeout: isFull ? 180_000 : 60_000,
    hookTimeout: isFull ? 180_000 : 60_000,
    teardownTimeout: 10_000,
    expect: { poll: { timeout: 30_000 } },
    env: { NO_COLOR: '1' },
    sequence: { sequencer: LongestFirst },
    // A test left alone by mistake would hide all others.
    allowOnly: false,
    // No retry: a test that fails sometimes is a bug.
    retry: 0,
  },
})

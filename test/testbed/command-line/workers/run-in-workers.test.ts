import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { zResults } from '#scenarios/harness/z-results.ts'
import { runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { countWorkers } from '#testbed/command-line/workers/run-in-workers.ts'

describe('countWorkers', () => {
  it.each([
    [0, 8, 1],
    [2, 8, 1],
    [100, 8, 1],
    [101, 8, 2],
    [450, 2, 2],
    [450, 1, 1],
    [5000, 64, 4],
  ])('distributes %i runs on %i processors over %i processes', (runs, processors, workers) => {
    expect(countWorkers(runs, processors)).toBe(workers)
  })
})

describe('testbed run --workers', () => {
  it('distributes scenarios over workers and reports them as one run', async () => {
    const cwd = createTemporaryFolder()
    const args = ['run', '^issuance/representative$', '--workers', '2', '--seed', 'x']
    const { exitCode } = await runCommand([...args, '--report', 'out'], { cwd })
    expect(exitCode).toBe(0)
    const { scenarios, seed, warnings } = zResults.parse(
      JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')),
    )
    expect(scenarios).toMatchObject([
      { id: 'issuance/representative/ES256K', verdict: 'passed' },
      { id: 'issuance/representative/EdDSA', verdict: 'passed' },
    ])
    expect({ seed, warnings }).toEqual({ seed: 'x', warnings: [] })
    expect(scenarios.every(({ hops }) => hops.length > 0)).toBe(true)
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { alive, descendantsOf } from '#test/support/processes.ts'
import { readResults } from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const program = resolve(import.meta.dirname, '../../../../bin/testbed')
describe('testbed run', () => {
  it('reports what ran, leaves no process and exits with code 130 if it is interrupted', async () => {
    const cwd = createTemporaryFolder()
    const args = ['run', '--report', 'out', '--workers', '1']
    const child = spawn(process.execPath, [program, ...args], { cwd })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    // The first line: one scenario has ended, others are under way or still to come.
    await once(child.stdout, 'data')
    const started = descendantsOf(child.pid ?? 0)
    expect(started.length).toBeGreaterThan(0)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    await expect.poll(() => alive(started)).toEqual([])
    const { interrupted, scenarios } = readResults(join(cwd, 'out'))
    expect(interrupted).toBe(true)
    const verdicts = new Set(scenarios.map(({ verdict }) => verdict))
    expect([...verdicts]).toEqual(expect.arrayContaining(['passed', 'not-run']))
    expect([...verdicts]).not.toContain('failed')
  })
})

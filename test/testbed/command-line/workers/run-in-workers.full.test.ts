import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  loadScenarios,
  partitionRuns,
  selectScenarios,
} from '#scenarios/harness/select-scenarios.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { alive, descendantsOf, runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const program = resolve(import.meta.dirname, '../../../../bin/testbed')
function startRun(pattern: string) {
  const cwd = createTemporaryFolder()
  const args = [program, 'run', pattern, '--workers', '2', '--report', 'out']
  const child = spawn(process.execPath, args, { cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  const file = join(cwd, 'out', 'results.json')
  return {
    child,
    file,
    printed: Promise.all([text(child.stdout), text(child.stderr)]),
    exited: once(child, 'exit'),
    workers: () =>
      vi.waitUntil(
        () => {
          const started = descendantsOf(child.pid ?? 0)
          const found = started.filter(({ command }) => command.includes('workers/main'))
          return found.length === 2 && found
        },
        { timeout: 60_000, interval: 20 },
      ),
    readResults: () => zResults.parse(JSON.parse(readFileSync(file, 'utf8'))),
  }
}

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

describe.runIf(process.platform === 'linux')('testbed run that loses a worker', () => {
  it('reports all scenarios that ran, and those in progress as failed', async () => {
    const pattern = '^issuance/deviating-wallet-'
    const parts = partitionRuns(selectScenarios(await loadScenarios(), { pattern }), 2)
    const { child, exited, printed, workers, readResults } = startRun(pattern)
    // One scenario has ended, so others are in progress in the worker that ran it.
    const [line] = await once(child.stdout, 'data')
    const [id] = String(line).match(/[\w-]+\/[\w-]+\/\w+/) ?? []
    const started = descendantsOf(child.pid ?? 0)
    const index = parts.findIndex((part) => part.some((run) => run.id === id))
    // The workers start one after the other.
    const lost = (await workers()).toSorted((one, other) => one.pid - other.pid)[index]
    process.kill(lost?.pid ?? Number.NaN, 'SIGKILL')
    expect(await exited).toEqual([1, null])
    await expect.poll(() => alive(started)).toEqual([])
    const { scenarios, warnings, interrupted } = readResults()
    expect(interrupted).toBe(false)
    const verdicts = new Set(scenarios.map(({ verdict }) => verdict))
    expect(verdicts).toEqual(new Set(['passed', 'failed', 'not-run']))
    const failures = scenarios.filter(({ verdict }) => verdict === 'failed')
    expect(new Set(failures.map(({ failure }) => failure?.code))).toEqual(new Set(['worker_ended']))
    expect(warnings).toHaveLength(1)
    expect((await printed)[0]).toContain('A part of the run is missing.')
  })

  it('exits with code 3 if a worker did not start', async () => {
    const { exited, workers, readResults } = startRun('^issuance/representative$')
    const [lost] = await workers()
    process.kill(lost?.pid ?? Number.NaN, 'SIGKILL')
    expect(await exited).toEqual([3, null])
    const { scenarios, warnings } = readResults()
    expect(scenarios.map(({ verdict }) => verdict).sort()).toEqual(['not-run', 'passed'])
    expect(warnings).toHaveLength(1)
  })

  it('exits with code 3 without a report if nothing ran', async () => {
    const { exited, printed, workers, file } = startRun('^issuance/representative$')
    for (const { pid } of await workers()) process.kill(pid, 'SIGKILL')
    expect(await exited).toEqual([3, null])
    expect((await printed)[1]).toContain('SIGKILL')
    expect(existsSync(file)).toBe(false)
  })
})

describe.runIf(process.platform === 'linux')('an interrupted or killed testbed run', () => {
  it.each([
    ['with workers', ['^issuance/', '--workers', '2'], /workers\/main/],
    ['with a browser', ['^login/openid-vp-lear/'], /--remote-debugging|--type=/],
  ])('ends everything it started: %s', async (_, args, awaited) => {
    const cwd = createTemporaryFolder()
    const child = spawn(process.execPath, [program, 'run', ...args, '--report', 'out'], { cwd })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const isWorking = () => {
      const started = descendantsOf(child.pid ?? 0)
      return started.some(({ command }) => awaited.test(command)) && started
    }
    const started = await vi.waitUntil(isWorking, { timeout: 30_000, interval: 50 })
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    await expect.poll(() => alive(started)).toEqual([])
    const results = JSON.parse(readFileSync(join(cwd, 'out', 'results.json'), 'utf8'))
    expect(zResults.parse(results).interrupted).toBe(true)
  })

  it('leaves no process behind when it is killed', async () => {
    const child = spawn(process.execPath, [program, 'run', '--workers', '2'], {
      cwd: createTemporaryFolder(),
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const started = descendantsOf(child.pid ?? 0)
    expect(started.length).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await expect.poll(() => alive(started)).toEqual([])
  })
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { createResults, createScenarioResult, readResults } from '#test/support/results.ts'
import { startSmallTestbed } from '#test/support/small-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const failed = createScenarioResult({
  verdict: 'failed',
  failure: { code: 'x', message: 'it is over' },
})

/** A folder with two runs: the first passed and the later one failed. */
function createRuns(): string {
  const cwd = createTemporaryFolder()
  writeFileSync(join(cwd, 'before.json'), JSON.stringify(createResults()))
  writeFileSync(join(cwd, 'results.json'), JSON.stringify(createResults({ scenarios: [failed] })))
  return cwd
}

describe('testbed report', () => {
  it('rebuilds the reports only from the results', async () => {
    const cwd = createTemporaryFolder()
    const { testbed } = await startSmallTestbed()
    writeFileSync(join(cwd, 'other.json'), JSON.stringify(testbed))
    await runCommand(['run', '^time/', '--testbed', 'other.json', '--report', 'out'], { cwd })
    const { exitCode } = await runCommand(['report', 'out/results.json', '--report', 'again'], {
      cwd,
    })
    expect(exitCode).toBe(0)
    expect(readResults(join(cwd, 'again'))).toEqual(readResults(join(cwd, 'out')))
    for (const name of ['junit.xml', 'summary.md', 'index.html']) {
      const [first, again] = ['out', 'again'].map((folder) =>
        readFileSync(join(cwd, folder, name), 'utf8'),
      )
      expect(again, name).toBe(first)
    }
  })

  it('exits with code 2 for a file without results', async () => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'x.json'), '{}')
    writeFileSync(join(cwd, 'key.pem'), '-----BEGIN PRIVATE KEY-----')
    for (const [path, said] of [
      ['x.json', 'schemaVersion must be 1; startedAt is missing;'],
      ['key.pem', 'it is not valid JSON.'],
      ['missing.json', 'the file does not exist.'],
      ['no/such.json', 'there is no folder no.'],
      ['.', 'results.json does not contain'],
    ] as const) {
      const { exitCode, stderr } = await runCommand(['report', path], { cwd })
      expect([path, exitCode, stderr]).toEqual([path, 2, expect.stringContaining(said)])
      expect(stderr).not.toContain('BEGIN')
    }
  })

  it('shows in the reports what changed since an earlier run', async () => {
    const cwd = createRuns()
    const args = ['report', '.', '--compare', 'before.json', '--json']
    const { exitCode, stdout } = await runCommand(args, { cwd })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(4)
    expect(readFileSync(join(cwd, 'index.html'), 'utf8')).toContain('1 newly failing')
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toContain('1 newly failing')
  })
})

describe('testbed report diff', () => {
  it('reports what changed, and exits with code 1 if something that passed now fails', async () => {
    const cwd = createRuns()
    const { exitCode, stdout } = await runCommand(['report', 'diff', 'before.json', '.'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout).toContain(': 1 newly failing\n')
    expect(stdout).toContain('  issuance/representative/ES256K  A representative collects')
  })

  it('exits with code 0 if nothing broke', async () => {
    const cwd = createRuns()
    const fixed = await runCommand(['report', 'diff', '.', 'before.json'], { cwd })
    expect({ ...fixed, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    expect(fixed.stdout).toContain('1 fixed')
    const same = await runCommand(['report', 'diff', '.', '.'], { cwd })
    expect([same.exitCode, same.stdout.includes('1 still failing')]).toEqual([0, true])
  })

  it.each([
    ['after its own name', ['report', 'diff', 'before.json', '.', '--json']],
    ['after that of report', ['report', '--json', 'diff', 'before.json', '.']],
  ])('prints it as JSON, with the option %s', async (_, args) => {
    const { exitCode, stdout } = await runCommand(args, { cwd: createRuns() })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      isSameSelection: true,
      changes: [
        {
          kind: 'newly-failing',
          id: 'issuance/representative/ES256K',
          before: { verdict: 'passed', durationMilliseconds: 250 },
          after: { verdict: 'failed' },
        },
      ],
    })
  })

  it.each([[['.', 'missing']], [['.']], [['.', 'before.json', 'more']]])(
    'exits with code 2 for %j',
    async (paths) => {
      const { exitCode, stdout } = await runCommand(['report', 'diff', ...paths], {
        cwd: createRuns(),
      })
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    },
  )
})

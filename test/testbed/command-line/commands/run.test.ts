import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { runCommand } from '#test/support/processes.ts'
import { createResults, createScenarioResult, readResults } from '#test/support/results.ts'
import { startSmallTestbed } from '#test/support/small-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const program = resolve(import.meta.dirname, '../../../../bin/testbed')
/** A folder with the `other.json` of a small testbed. */
async function createFolderBeside(change: (testbed: TestbedFile) => void = () => {}) {
  const cwd = createTemporaryFolder()
  const { testbed, controlCalls } = await startSmallTestbed()
  change(testbed)
  writeFileSync(join(cwd, 'other.json'), JSON.stringify(testbed))
  return { cwd, controlCalls }
}

describe('testbed run', () => {
  it('starts a new testbed next to a running one, and writes reports', async () => {
    const cwd = createTemporaryFolder()
    const { testbed, controlCalls } = await startSmallTestbed()
    mkdirSync(join(cwd, '.testbed'))
    writeFileSync(join(cwd, '.testbed/testbed.json'), JSON.stringify(testbed))
    const pattern = '^issuance/representative/'
    const { exitCode, stdout, stderr } = await runCommand(['run', pattern, '--json'], { cwd })
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(stdout)).toMatchObject({
      passed: 2,
      failed: 0,
      skipped: 0,
      scenarios: [
        { id: 'issuance/representative/ES256K', verdict: 'passed' },
        { id: 'issuance/representative/EdDSA', verdict: 'passed' },
      ],
    })
    const folder = join(cwd, 'reports', 'scenarios')
    expect(readResults(folder)).toMatchObject({ pattern, interrupted: false })
    for (const name of ['junit.xml', 'summary.md', 'index.html']) {
      expect(existsSync(join(folder, name)), name).toBe(true)
    }
    expect(controlCalls).toEqual([])
    expect(readdirSync(join(cwd, '.testbed'))).toEqual(['testbed.json'])
  })

  it('uses a running testbed, explains failures and exits with code 1', async () => {
    const { cwd, controlCalls } = await createFolderBeside()
    const pattern = '^(employee/by-mail|issuance/representative)/'
    const { exitCode, stdout } = await runCommand(
      ['run', pattern, '--testbed', 'other.json', '--report', 'out', '--shard', '1/2'],
      { cwd },
    )
    expect(exitCode).toBe(1)
    expect(controlCalls.length).toBeGreaterThan(0)
    expect(stdout).toContain('✗ employee/by-mail/ES256K: ')
    expect(stdout).toContain("in the step: The representative gets a token issuer's Bearer token")
    expect(stdout).toContain(
      "repeat: bin/testbed run '^employee/by-mail/ES256K$' --testbed other.json",
    )
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^0 passed, 2 failed, 0 skipped in /)
    expect(readResults(join(cwd, 'out')).shard).toBe('1/2')
  })

  it('skips scenarios that the testbed cannot run, with the reason, and passes', async () => {
    const { cwd, controlCalls } = await createFolderBeside(({ environments: { pre } }) => {
      if (pre) pre.limits = { clock: 'This chain keeps its own time.' }
    })
    const args = ['run', '^time/credential-expires/EdDSA$', '--testbed', 'other.json']
    const { exitCode, stdout } = await runCommand([...args, '--report', 'out'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('skipped: This chain keeps its own time.')
    expect(stdout).toContain('0 passed, 0 failed, 1 skipped')
    expect(readFileSync(join(cwd, 'out/junit.xml'), 'utf8')).toContain(
      '<skipped message="This chain keeps its own time.">',
    )
    expect(controlCalls.filter((call) => JSON.stringify(call).includes('POST'))).toEqual([])
  })

  it('reports only failures to GitHub Actions, at the line in the scenario', async () => {
    const { cwd } = await createFolderBeside()
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    const args = ['run', '^issuance/representative/EdDSA$', '--testbed', 'other.json']
    const { stdout } = await runCommand(args, { cwd, env })
    const lines = stdout.trimEnd().split('\n')
    const [, token = ''] = lines[0]?.match(/^::stop-commands::([0-9a-f]{32})$/) ?? []
    const resumed = lines.indexOf(`::${token}::`)
    expect(lines.slice(1, resumed).join()).toContain('0 passed, 1 failed, 0 skipped')
    const file = 'scenarios/suites/issuance/representative.ts'
    expect(lines.slice(resumed + 1)).toEqual([
      expect.stringMatching(
        RegExp(`^::error file=${file},line=\\d+,col=\\d+,title=issuance/representative/EdDSA%3A `),
      ),
    ])
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^# ❌ Scenarios: 0 passed, 1 /)
  })

  it('compares with an earlier run, also in the folder that it writes to', async () => {
    const { cwd } = await createFolderBeside()
    mkdirSync(join(cwd, 'out'))
    const before = createResults({ scenarios: [createScenarioResult({ algorithm: 'EdDSA' })] })
    writeFileSync(join(cwd, 'out', 'results.json'), JSON.stringify(before))
    const args = ['run', '^issuance/representative/EdDSA$', '--testbed', 'other.json']
    const { stdout } = await runCommand([...args, '--report', 'out', '--compare', 'out'], { cwd })
    expect(stdout).toContain('1 newly failing')
    expect(readFileSync(join(cwd, 'out', 'summary.md'), 'utf8')).toContain('1 newly failing')
    expect(readFileSync(join(cwd, 'out', 'index.html'), 'utf8')).toContain('1 newly failing')
  })

  it('starts no further scenario after a failure with --bail', async () => {
    const { cwd } = await createFolderBeside()
    const args = ['run', '--testbed', 'other.json', '--report', 'out', '--bail']
    expect((await runCommand(args, { cwd })).exitCode).toBe(1)
    const verdicts = readResults(join(cwd, 'out')).scenarios.map(({ verdict }) => verdict)
    expect(verdicts).toContain('failed')
    expect(verdicts.filter((verdict) => verdict === 'not-run').length).toBeGreaterThan(2)
  })

  it.each([
    ['an invalid pattern', ['run', '(']],
    ['a pattern without a match', ['run', '^no-such-suite/']],
    [
      'a pattern without a match in one of several jobs',
      ['run', '^no-such-suite/', '--shard', '1/1'],
    ],
    ['an invalid shard', ['run', '--shard', '3/2']],
    ['no worker at all', ['run', '--workers', '0']],
    ['several workers on one testbed', ['run', '--workers', '2', '--testbed', 'x.json']],
    ['several workers with --bail', ['run', '--workers', '2', '--bail']],
    ['an unknown option', ['run', '--no-such-option']],
  ])('exits with code 2 for %s', async (_, args) => {
    const { exitCode, stdout, stderr } = await runCommand(args, { cwd: createTemporaryFolder() })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).not.toContain('    at ')
  })

  it('exits with code 2 for an invalid testbed.json, and 3 if its testbed does not answer', async () => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'x.json'), '{"schemaVersion":1}')
    const { testbed } = await startSmallTestbed()
    const control = { ...testbed.control, url: 'http://127.0.0.1:1/control' }
    writeFileSync(join(cwd, 'dead.json'), JSON.stringify({ ...testbed, control }))
    for (const [file, code] of [
      ['x.json', 2],
      ['missing.json', 3],
      ['dead.json', 3],
    ] as const) {
      const { exitCode } = await runCommand(['run', '--testbed', file], { cwd })
      expect([file, exitCode]).toEqual([file, code])
    }
  })

  it('runs nothing if no reports can be written, and exits with code 2', async () => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'file'), '')
    const args = ['run', '^issuance/representative/', '--report', 'file/reports']
    const { exitCode, stdout, stderr } = await runCommand(args, { cwd })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(join(cwd, 'file/reports'))
  })

  it('keeps its exit code if its reader closes stderr', async () => {
    const child = spawn(process.execPath, [program, 'run', 'no-scenario'], {
      cwd: createTemporaryFolder(),
    })
    child.stderr.destroy()
    expect(await once(child, 'exit')).toEqual([2, null])
  })
})

describe('testbed list', () => {
  it('ends without an error if its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [program, 'list'], { cwd: createTemporaryFolder() })
    child.stdout.destroy()
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  })

  it('says that its output could not be written', ({ skip }) => {
    if (!existsSync('/dev/full')) skip('there is no /dev/full here')
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const { status, stderr } = spawnSync(process.execPath, [program, 'list'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    const message = 'testbed: Cannot write the output: the disk is full.\n'
    expect({ stderr, status }).toEqual({ stderr: message, status: 1 })
  })

  it('lists every scenario with its description, also as JSON', async () => {
    const cwd = createTemporaryFolder()
    const { stdout } = await runCommand(['list'], { cwd })
    expect(stdout).toMatch(/^issuance\/representative +A representative .* \(ES256K, EdDSA\)$/m)
    const json = await runCommand(['list', '^time/expired-qr$', '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject([
      { id: 'time/expired-qr', exclusive: true, algorithms: ['ES256K', 'EdDSA'] },
    ])
  })
})

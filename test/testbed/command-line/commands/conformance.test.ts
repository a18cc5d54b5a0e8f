import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { readExample } from '#conformance/targets/read-target.ts'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { runCommand } from '#test/support/processes.ts'
import { createCheckResult, createConformanceResults, readResults } from '#test/support/results.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createPersonPrompt, exitCodeFor } from '#testbed/command-line/commands/conformance.ts'

describe('a prompt for a person', () => {
  const question = { verb: 'watch' } as const
  const open = new AbortController().signal

  it.each([
    ['y', 'accepted'],
    ['YES', 'accepted'],
    ['n', 'refused'],
    ['no', 'refused'],
    ['', undefined],
    ['yellow', undefined],
    [undefined, undefined],
  ])('interprets %j as %j', async (answer, expected) => {
    const reply = await createPersonPrompt(async () => answer).ask(question, open)
    expect(reply?.did).toBe(expected)
  })

  it('does not treat the end of the input as an answer', async () => {
    const prompt = createPersonPrompt(() => Promise.reject(new Error('declined')))
    expect(await prompt.ask(question, open)).toBeUndefined()
  })

  it('removes a question before the next one, and the last one at the end', async () => {
    const signals: AbortSignal[] = []
    const prompt = createPersonPrompt((_, signal) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      if (signal) signals.push(signal)
      signal?.addEventListener('abort', () => resolve(undefined))
      return promise
    })
    const first = prompt.ask(question, open)
    const second = prompt.ask(question, open)
    expect(await first).toBeUndefined()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    prompt.close()
    expect(await second).toBeUndefined()
  })
})

describe('the exit code', () => {
  const passed = createCheckResult({ verdict: 'passed' })
  const warned = createCheckResult({ verdict: 'warned' })
  const undecided = createCheckResult({ verdict: 'inconclusive' })
  const failed = createCheckResult({ verdict: 'failed' })
  const stopped = (code: string) =>
    createCheckResult({ verdict: 'inconclusive', failure: { code, message: 'It broke off.' } })

  // Interfaces, section 2: 0 all passed, 1 some failed, 130 interrupted.
  it.each<[string, readonly ScenarioResult[], boolean, number, blocked?: number]>([
    ['warnings and inconclusive checks next to a PASS', [passed, warned, undecided], false, 0],
    ['the same in a strict run', [passed, warned, undecided], true, 1],
    ['a FAIL', [passed, failed], false, 1],
    ['only inconclusive checks', [undecided, undecided], false, 1],
    ['a PASS, and more checks that are blocked', [passed, undecided, undecided], false, 1, 2],
    ['a PASS, and as many that are blocked', [passed, undecided], false, 0, 1],
    ['an internal error of the kit next to a PASS', [passed, stopped('kit_error')], false, 1],
    ['a target that stopped responding after a PASS', [passed, stopped('target_silent')], false, 1],
  ])('%s: the exit code is correct', (_, scenarios, strict, code, blocked) => {
    const conformance = blocked === undefined ? {} : { blocked }
    const results = createConformanceResults({ scenarios: [...scenarios], conformance })
    expect(exitCodeFor(results, strict)).toBe(code)
    expect(exitCodeFor({ ...results, interrupted: true }, strict)).toBe(130)
  })
})

const program = resolve(import.meta.dirname, '../../../../bin/testbed')
describe('testbed conformance', () => {
  it.each([
    ['no target', ['idp'], '--target'],
    ['a missing plan', [], '--help lists the plans'],
    ['an unknown plan', ['idq', '--target', 'self'], 'idp'],
    ['a pattern without a match', ['idp', '^X99$', '--target', 'self'], '^X99$'],
    ['a target file that is missing', ['idp', '--target', 'none.yaml'], 'none.yaml'],
    ['reports that can’t be written', ['idp', '--target', 'self', '--report', 'file'], 'file'],
    [
      'reports below /proc, where Node’s recursive mkdir never ends',
      ['idp', '--target', 'self', '--report', '/proc/x/y'],
      '/proc/x',
    ],
  ])('reports %s, runs nothing and exits with code 2', async (_what, args, expected) => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'file'), '')
    const { exitCode, stdout, stderr } = await runCommand(['conformance', ...args], { cwd })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(expected)
    expect(existsSync(join(cwd, 'reports', 'conformance', 'results.json'))).toBe(false)
  })

  it('lists only the matching checks of a plan as JSON, without a target', async () => {
    const cwd = createTemporaryFolder()
    const args = ['conformance', 'idp', '^O0', '--list', '--json']
    const { exitCode, stdout } = await runCommand(args, { cwd })
    const listed = JSON.parse(stdout).map(({ id }: { id: string }) => id)
    const checks = await loadChecks('idp')
    expect(exitCode).toBe(0)
    expect(listed).toEqual(checks.map(({ id }) => id).filter((id) => id.startsWith('O0')))
  })

  it("checks the testbed's own part, prints the results as JSON, and writes the reports", async () => {
    const cwd = createTemporaryFolder()
    const args = ['conformance', 'idp', '^O2[67]$', '--target', 'self', '--report', 'out', '--json']
    const { exitCode, stdout, stderr } = await runCommand(args, { cwd })
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    const results = readResults(join(cwd, 'out'))
    expect(JSON.parse(stdout).scenarios).toMatchObject([
      { check: { id: 'O26' }, verdict: 'passed' },
      { check: { id: 'O27' }, verdict: 'passed' },
    ])
    expect(results).toMatchObject({ interrupted: false, conformance: { plan: 'idp' } })
    for (const name of ['junit.xml', 'summary.md', 'index.html']) {
      expect(existsSync(join(cwd, 'out', name)), name).toBe(true)
    }
  })

  it('does not let GitHub Actions read commands in the output of a start command', async () => {
    const cwd = createTemporaryFolder()
    const command = `node -e "console.log('::set-env name=PATH::x');process.exit(3)"`
    const start = { command, ready: 'http://127.0.0.1:9/' }
    const system = { plan: 'did-registry', name: 'One', environment: 'pre' }
    const target = { ...system, baseUrl: 'http://127.0.0.1:9', start }
    writeFileSync(join(cwd, 'target.yaml'), JSON.stringify(target))
    const env = { GITHUB_ACTIONS: 'true' }
    const args = ['conformance', 'did-registry', '--target', 'target.yaml']
    const { exitCode, stdout, stderr } = await runCommand(args, { cwd, env })
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^::stop-commands::(\w+)\n::\1::\n$/)
    expect(stderr).toMatch(
      /^::stop-commands::(\w+)\n(?:.*\n)*.*::set-env (?:.*\n)*::\1::\n::error title=.*\n$/,
    )
  })

  it('exits with code 3 if the port of the kit is in use', async () => {
    const cwd = createTemporaryFolder()
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const target = `plan: idp
name: Nobody
issuer: http://127.0.0.1:9
client: { clientId: a, clientSecret: $SECRET, redirectUri: "http://127.0.0.1:9/callback" }
kit: { port: ${port} }
`
    writeFileSync(join(cwd, 'target.yaml'), target)
    const args = ['conformance', 'idp', '--target', 'target.yaml']
    const { exitCode, stderr } = await runCommand(args, { cwd, env: { SECRET: 'a secret' } })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('kit.port'),
    })
  })

  it('writes the results so far and exits with code 130 if it is interrupted', async () => {
    const cwd = createTemporaryFolder()
    const args = ['conformance', 'idp', '--target', 'self', '--report', 'out']
    const child = spawn(process.execPath, [program, ...args], { cwd })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    // The first line: one check has ended, others are still to come.
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    const { interrupted, scenarios } = readResults(join(cwd, 'out'))
    expect(interrupted).toBe(true)
    const verdicts = new Set(scenarios.map(({ verdict }) => verdict))
    expect([...verdicts]).toEqual(expect.arrayContaining(['passed', 'not-run']))
    expect([...verdicts]).not.toContain('failed')
  })
})

describe('testbed conformance and its target file', () => {
  it('prints an example with the command of a clone', async () => {
    const cwd = createTemporaryFolder()
    const args = ['conformance', 'tir', '--example']
    const example = (await readExample('tir')).replace('testbed conf', 'bin/testbed conf')
    const { stdout, exitCode } = await runCommand(args, { cwd })
    expect({ stdout, exitCode }).toEqual({ stdout: example, exitCode: 0 })
    const json = await runCommand([...args, '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toEqual({ example })
  })

  it('says which lines to fix, and exits with code 2', async () => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'target.yaml'), 'plan: wallet\nnmae: x\nadapter: { type: person }\n')
    const args = ['conformance', 'wallet', '--target', 'target.yaml']
    const { stderr, stdout, exitCode } = await runCommand(args, { cwd })
    expect({ stderr, stdout, exitCode }).toEqual({
      stderr: `testbed: target.yaml has 1 problem.
  target.yaml:2:1: nmae is unknown
    2 | nmae: x
      | ^
      = Did you mean name?
`,
      stdout: '',
      exitCode: 2,
    })
  })
})

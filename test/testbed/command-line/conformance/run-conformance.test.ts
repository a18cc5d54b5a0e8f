import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const program = resolve(import.meta.dirname, '../../../../bin/testbed')
const readResults = (folder: string) =>
  zResults.parse(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')))

describe('testbed conformance', () => {
  it.each([
    ['no target', ['idp'], '--target'],
    ['an unknown plan', ['idq', '--target', 'self'], 'idp'],
    ['a pattern that fits nothing', ['idp', '^X99$', '--target', 'self'], '^X99$'],
    ['a target file that is missing', ['idp', '--target', 'none.yaml'], 'none.yaml'],
    ['reports that can’t be written', ['idp', '--target', 'self', '--report', 'file'], 'file'],
  ])('tells of %s, runs nothing and exits 2', async (_what, args, told) => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'file'), '')
    const { exitCode, stdout, stderr } = await runCommand(['conformance', ...args], { cwd })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(told)
    expect(existsSync(join(cwd, 'reports', 'conformance', 'results.json'))).toBe(false)
  })

  it('lists the checks of a plan as JSON, those that fit alone, without a target', async () => {
    const cwd = createTemporaryFolder()
    const args = ['conformance', 'idp', '^O0', '--list', '--json']
    const { exitCode, stdout } = await runCommand(args, { cwd })
    const listed = JSON.parse(stdout).map(({ id }: { id: string }) => id)
    const checks = await loadChecks('idp')
    expect(exitCode).toBe(0)
    expect(listed).toEqual(checks.map(({ id }) => id).filter((id) => id.startsWith('O0')))
  })

  it('checks the own part, gives the results as JSON, and writes the reports', async () => {
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

  it('exits 3 where the port of the kit is taken', async () => {
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

  it('is interrupted: writes what it has, and exits 130', { timeout: 60_000 }, async () => {
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

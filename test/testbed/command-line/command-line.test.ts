import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { runCommand } from '#test/support/processes.ts'
import { readTestbedFile, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { describeError } from '#testbed/command-line/exit-codes.ts'

const program = resolve(import.meta.dirname, '../../../bin/testbed')

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function runProgram(...argv: string[]): Promise<Outcome> {
  return new Promise((settle) => {
    execFile(process.execPath, [program, ...argv], (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

describe('the command line', () => {
  it('lists its commands on stdout', async () => {
    const { code, stdout } = await runProgram('--help')
    expect(code).toBe(0)
    for (const name of ['up', 'doctor', 'wallet'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it.each([
    [['nonsense']],
    [['up', '--port-base', '70000']],
    [['up', '--port-base', 'many']],
    [['up', '--env', 'test']],
    [['up', '--mining', '0']],
    [['up', '--no-such-option']],
    [['up', 'surplus']],
    [['doctor', '--port-base', 'abc']],
    [['doctor', '--port-base', '-1']],
    [['wallet', 'serve', '--port', '']],
  ])('exits 2 for %j', async (argv) => {
    const { code, stdout, stderr } = await runProgram(...argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).not.toBe('')
  })

  it.each([
    [['--env', 'pre,pro', '--database-url', 'postgres://127.0.0.1:1/x']],
    [['--mining', 'auto', '--chain-rpc', 'http://127.0.0.1:1']],
    [['--open-rpc', '--chain-rpc', 'http://127.0.0.1:1']],
  ])('exits 2 for the combination %j', async (options) => {
    const folder = createTemporaryFolder()
    const { code, stderr } = await runProgram(
      ...['up', '--data', folder, '--port-base', '0', ...options],
    )
    expect(code).toBe(2)
    expect(stderr).not.toContain('    at ')
  })

  it('prints testbed.json alone on stdout with --json', async () => {
    const testbed = spawnTestbed(createTemporaryFolder(), '--json')
    await expect.poll(() => testbed.stdout().endsWith('}\n'), { timeout: 15_000 }).toBe(true)
    const printed = zTestbedFile.parse(JSON.parse(testbed.stdout()))
    expect(printed).toEqual(readTestbedFile(testbed.folder))
  })
})

describe('a name that fits nothing', () => {
  it.each([
    [['run', 'issuence'], 'issuance'],
    [['run', '^login/pkcee$'], 'login/pkce'],
    [['list', 'trust-chian'], 'trust-chain'],
    [['conformance', 'wallet', '^W4$', '--target', 'self'], 'W04'],
    [['wallet', 'present', 'openid4vp://?client_id=x', '--fault', 'pin-worng'], 'pin-wrong'],
  ])('is answered with the nearest one for %j', async (argv, nearest) => {
    const cwd = createTemporaryFolder()
    if (argv.includes('--fault')) await runCommand(['wallet', 'create'], { cwd })
    const { stderr } = await runCommand(argv, { cwd })
    expect(stderr).toMatch(new RegExp(`Did you mean .*\\b${nearest}\\b.*\\?`))
  })

  it('is answered without a guess where nothing is near', async () => {
    const { exitCode, stderr } = await runCommand(['run', 'xyzzy'], {
      cwd: createTemporaryFolder(),
    })
    expect(exitCode).toBe(2)
    expect(stderr).not.toContain('Did you mean')
  })
})

describe('a file that cannot be used', () => {
  it.each([
    [['wallet', 'accept', '--qr', 'gone.png'], 'gone.png', '--qr'],
    [['did', 'sign', 'gone.json', '--key-file', 'gone.key'], 'gone.', ''],
    [['verify', 'gone.jwt', '--offline'], 'gone.jwt', ''],
    [['verify', '{}', '--offline', '--key', 'gone.pem'], 'gone.pem', '--key'],
    [['report', 'gone'], 'gone', ''],
    [['run', '--testbed', '.'], '.', '--testbed'],
    [['run', '--compare', 'gone'], 'gone', ''],
    [['up', '--credential-types', 'gone.json'], 'gone.json', ''],
    [['conformance', 'idp', '--target', 'gone.yaml'], 'gone.yaml', ''],
    [['wallet', 'qr', 'text', '--png', 'gone/qr.png'], 'gone/qr.png', ''],
  ])('is named in words for %j', async (argv, file, option) => {
    const { stderr } = await runCommand(argv, { cwd: createTemporaryFolder() })
    expect(stderr).toContain(file)
    expect(stderr).toContain(option)
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b| {4}at /)
  })
})

describe('testbed doctor', () => {
  it('tells what is there, as JSON too', async () => {
    const argv = ['doctor', '--port-base', '0', '--data', createTemporaryFolder()]
    const { code, stdout } = await runProgram(...argv, '--json')
    const findings = JSON.parse(stdout) as { name: string; verdict: string }[]
    const verdicts = Object.fromEntries(findings.map(({ name, verdict }) => [name, verdict]))
    expect(verdicts).toMatchObject({ Node: 'ok', 'chain node': 'ok', 'data folder': 'ok' })
    expect(code).toBe(0)
    const text = await runProgram(...argv)
    for (const { name } of findings) expect(text.stdout).toContain(`${name}:`)
  })

  it.runIf(process.platform === 'linux')('names who holds the ports, but for our own', async () => {
    const testbed = spawnTestbed(createTemporaryFolder())
    const { consoleUrl, pid } = await testbed.healthy
    const { port } = new URL(consoleUrl)
    const doctor = async (folder: string) => {
      const argv = ['doctor', '--port-base', port, '--data', folder, '--json']
      const { code, stdout } = await runProgram(...argv)
      const findings = JSON.parse(stdout) as { name: string; verdict: string; found: string }[]
      return { code, ...findings.find(({ name }) => name === 'ports') }
    }
    expect(await doctor(testbed.folder)).toMatchObject({ code: 0, verdict: 'ok' })
    const elsewhere = await doctor(createTemporaryFolder())
    expect(elsewhere).toMatchObject({ code: 1, verdict: 'missing' })
    expect(elsewhere.found).toContain(port)
    expect(elsewhere.found).toContain(String(pid))
  })
})

describe('errors', () => {
  it('are what happened and what to do, never a stack', () => {
    const error = new TestbedError({
      code: 'port_taken',
      status: 500,
      message: 'Port 4000 is taken.',
      hints: ['Use another one.'],
      detail: 'secret',
      cause: new Error('inner'),
    })
    expect(describeError(error)).toBe('testbed: Port 4000 is taken.\n  Use another one.\n')
    expect(describeError(error, { details: true })).toContain('inner')
    expect(describeError('text')).toBe('testbed: text\n')
  })
})

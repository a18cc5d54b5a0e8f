import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { runCommand, runTestbed } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { describeError } from '#testbed/command-line/exit-codes.ts'
import { addCommand, commandNames, createProgram } from '#testbed/command-line/run-command-line.ts'
import { formatBar } from '#testbed/command-line/terminal.ts'
import { findFault } from '#wallet-emulator/wallet.ts'

describe('the command line', () => {
  it('lists its commands on stdout', async () => {
    const { exitCode, stdout } = await runTestbed(['--help'])
    expect(exitCode).toBe(0)
    for (const name of ['up', 'doctor', 'wallet'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(stdout).toMatch(/^Documentation: docs\/README\.md$/m)
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
    [['wallet', 'serve', '--token', '']],
    [['wallet', 'serve', '--wallet', 'ana', '--curve', 'Ed25519']],
    [['up', '--data', '']],
    [['wallet', 'list', '--data', '']],
    [['up', '--bind', '']],
    [['wallet', 'serve', '--bind', '']],
    [['run', '--report', '']],
    [['up', '--chain-rpc', 'localhost:8545']],
    [['up', '--database-url', 'mysql://127.0.0.1/x']],
    [['up', '--database-url', 'sqlite:file']],
    [['up', '--public-url', 'testbed.example']],
    [['run', 'issuance', '--progress', 'json', '--json']],
    [['conformance', 'tir', '--target', 'self', '--progress', 'json', '--json']],
    [['report', 'diff', 'before', 'after', '--compare', 'earlier']],
    [['report', 'merge', 'runs', '--product-version', '1', '--report', 'folder']],
  ])('exits with code 2 for %j, before it writes a file', async (argv) => {
    const cwd = createTemporaryFolder()
    const { exitCode, stdout, stderr } = await runCommand(argv, { cwd })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^error: |^testbed: /)
    expect(readdirSync(cwd)).toEqual([])
  })

  it.each([
    [['--env', 'pre,pro', '--database-url', 'postgres://127.0.0.1:1/x']],
    [['--mining', 'auto', '--chain-rpc', 'http://127.0.0.1:1']],
    [['--open-rpc', '--chain-rpc', 'http://127.0.0.1:1']],
  ])('exits with code 2 for the combination %j', async (options) => {
    const { exitCode, stderr } = await runCommand(['up', '--port-base', '0', ...options], {
      cwd: createTemporaryFolder(),
    })
    expect(exitCode).toBe(2)
    expect(stderr).not.toContain('    at ')
  })
})

it.each(['text', 'json'])('accepts --json with --progress %s if nothing runs', async (format) => {
  const argv = ['conformance', 'tir', '--list', '--json', '--progress', format]
  const { exitCode, stdout } = await runCommand(argv, { cwd: createTemporaryFolder() })
  expect({ exitCode, list: JSON.parse(stdout) }).toMatchObject({ exitCode: 0 })
})

it('lists for a subcommand only the options that it has', async () => {
  const { stdout } = await runCommand(['report', 'merge', '--help'], {
    cwd: createTemporaryFolder(),
  })
  expect(stdout).toMatch(/^ {2}--json /m)
  expect(stdout).not.toContain('--compare')
})

it.each([
  ['help', 'commands'],
  ['wallet lst', 'commands and options'],
  ['wallet list --al', 'options'],
  ['run --bial', 'options'],
])('says what --help lists after the mistake in "%s"', async (line, listed) => {
  const { stderr } = await runCommand(line.split(' '), { cwd: createTemporaryFolder() })
  expect(stderr).toContain(`(--help lists the ${listed})`)
})

describe('in GitHub Actions', () => {
  it('annotates wrong usage', async () => {
    const options = { cwd: createTemporaryFolder(), env: { GITHUB_ACTIONS: 'true' } }
    const { stderr } = await runCommand(['conformance', 'walet'], options)
    expect(stderr).toMatch(/^::error title=The command ended with an error::(?!error).*walet/m)
    const help = await runCommand(['wallet'], options)
    expect(help).toMatchObject({ exitCode: 2, stderr: expect.not.stringContaining('::error') })
  })
})

describe('the examples in --help', () => {
  it('exist for each command and subcommand, with options and faults that exist', async () => {
    const program = createProgram()
    for (const name of commandNames()) await addCommand(program, name)
    for (const command of program.commands) {
      const { examples } = await import(
        `../../../testbed/command-line/commands/${command.name()}.ts`
      )
      const lines = (examples as string[][]).map(([line = '']) => line.replace(/ [|>].*$/, ''))
      for (const each of [command, ...command.commands]) {
        const path = each === command ? each.name() : `${command.name()} ${each.name()}`
        const own = lines.filter((line) => line === path || line.startsWith(`${path} `))
        expect(own, path).not.toEqual([])
        const known = [...each.options, ...command.options].flatMap(({ long, short }) => [
          long,
          short,
        ])
        for (const [option] of own.join(' ').matchAll(/(?<= )-{1,2}[a-z][\w-]*/g)) {
          if (each === command && command.commands.length > 0) continue
          expect(known, own.join('; ')).toContain(option)
        }
        for (const [, fault = ''] of own.join(' ').matchAll(/--fault ([\w-]+)/g)) {
          expect(findFault(fault), fault).toBeDefined()
        }
      }
    }
  })
})

describe('an unknown name', () => {
  it.each([
    [['run', 'issuence'], 'issuance'],
    [['run', '^login/pkcee$'], 'login/pkce'],
    [['list', 'trust-chian'], 'trust-chain'],
    [['conformance', 'wallet', '^W4$', '--target', 'self'], 'W04'],
    [['conformance', 'wallet', '^W4$', '--list'], 'W04'],
    [['open', 'walets'], 'wallets'],
    [['wallet', 'present', 'openid4vp://?client_id=x', '--fault', 'pin-worng'], 'pin-wrong'],
  ])('is answered with a suggestion for %j', async (argv, nearest) => {
    const cwd = createTemporaryFolder()
    if (argv.includes('--fault')) await runCommand(['wallet', 'create'], { cwd })
    const { exitCode, stderr } = await runCommand(argv, { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(new RegExp(`Did you mean .*\\b${nearest}\\b.*\\?`))
  })

  it('is answered without a suggestion if no name is similar', async () => {
    const { exitCode, stderr } = await runCommand(['run', 'xyzzy'], {
      cwd: createTemporaryFolder(),
    })
    expect(exitCode).toBe(2)
    expect(stderr).not.toContain('Did you mean')
  })
})

describe('LOG_LEVEL', () => {
  it('must be a level', async () => {
    const options = { cwd: createTemporaryFolder(), env: { LOG_LEVEL: 'loud' } }
    expect(await runCommand(['up', '--port-base', '0'], options)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('LOG_LEVEL'),
    })
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
    [['wallet', 'qr', 'text', '--png', 'gone/qr.png'], 'gone/qr.png', 'no folder gone'],
  ])('is described for %j', async (argv, file, option) => {
    const { stderr } = await runCommand(argv, { cwd: createTemporaryFolder() })
    expect(stderr).toContain(file)
    expect(stderr).toContain(option)
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b| {4}at /)
  })
})

describe('errors', () => {
  it('state what happened and what to do, without a stack trace', () => {
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

describe('the message of an error', () => {
  it.each([
    [{ code: 'ENOSPC', syscall: 'write' }, 'testbed: Cannot write a file: the disk is full.\n'],
    [
      { code: 'EACCES', syscall: 'open', path: '/a/b' },
      'testbed: Cannot use /a/b: permission denied.\n',
    ],
    [{ code: 'ECONNRESET', syscall: 'read' }, 'testbed: read ECONNRESET\n'],
  ])('says what happened, without a stack: %o', (members, expected) => {
    const error = Object.assign(new Error(`${members.syscall} ${members.code}`), members)
    expect(describeError(error)).toBe(expected)
  })
})

describe('a progress bar', () => {
  it.each([
    [0, '░░░░░░░░░░░░░░░░░░░░ 0 %'],
    [0.5, '██████████░░░░░░░░░░ 50 %'],
    // Full only when it is done.
    [0.999, '███████████████████░ 99 %'],
    [1, '████████████████████ 100 %'],
  ])('shows %d', (done, bar) => {
    expect(formatBar(done)).toBe(bar)
  })
})

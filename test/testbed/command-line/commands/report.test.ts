import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { runCommand } from '#test/support/processes.ts'
import { createResults, createScenarioResult, readResults } from '#test/support/results.ts'
import { startSmallTestbed } from '#test/support/small-testbed.ts'
import { createTemporaryFolder, shareTemporaryFolder } from '#test/support/temporary-folder.ts'

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

const cwd = shareTemporaryFolder()
const run = (...args: string[]) => runCommand(args, { cwd, env: { NO_COLOR: '1' } })
const merge = (...args: string[]) => run('report', 'merge', ...args, '--product-version', '2.1')
const verify = (...args: string[]) =>
  run('verify', 'statement/statement.jws', '--key', 'public.json', '--offline', ...args)
const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
const readRun = (path: string) => zResults.parse(JSON.parse(read(path)))

/** Writes a copy of a run in which members of its description differ. */
function copyRun(to: string, change: (run: ReturnType<typeof readRun>) => void): void {
  const copy = readRun('tir/results.json')
  change(copy)
  writeFileSync(join(cwd, to), JSON.stringify(copy))
}

const broken = (stdout: string) => [...stdout.matchAll(/^ {2}✗ (\S+)/gm)].map(([, rule]) => rule)

describe('testbed report merge', () => {
  beforeAll(async () => {
    const key = createPrivateJwk('Ed25519', Buffer.alloc(32, 7))
    writeFileSync(join(cwd, 'private.json'), JSON.stringify(key))
    writeFileSync(join(cwd, 'public.json'), JSON.stringify(publicJwkOf(key)))
    const other = publicJwkOf(createPrivateJwk('Ed25519', Buffer.alloc(32, 9)))
    writeFileSync(join(cwd, 'other.json'), JSON.stringify(other))
    const conformance = (plan: string, pattern: string) =>
      run('conformance', plan, pattern, '--target', 'self', '--report', plan)
    await conformance('tir', '^T0[12]$')
    await conformance('did-registry', '^D01$')
  })

  it('builds a statement from runs that verifies offline, and fails with another key', async () => {
    const product = ['--product', 'Acme registries', '--mixed-targets', '--vendor', 'Acme']
    const { exitCode, stdout } = await merge(
      ...['tir', 'did-registry/results.json', '--sign', 'private.json', ...product],
    )
    expect(exitCode).toBe(0)
    expect(stdout.trim().split('\n')).toEqual(
      ['json', 'md', 'jws']
        .map((end) => `statement/statement.${end}`)
        .concat('statement/results-did-registry-1.json', 'statement/results-tir-1.json'),
    )
    expect(read('statement/results-tir-1.json')).toBe(read('tir/results.json'))
    expect(read('statement/statement.md')).toContain('Acme registries 2.1')

    const verified = await verify()
    expect([verified.exitCode, broken(verified.stdout)]).toEqual([0, []])
    expect(verified.stdout).toContain('0 FAIL, 0 WARN, 0 INCONCLUSIVE, 2 PASS')
    const byOther = await verify('--key', 'other.json')
    expect([byOther.exitCode, broken(byOther.stdout)]).toEqual([1, ['signed-result.key']])
  })

  it('finds a changed and a missing file, and forgets the signature of an earlier statement', async () => {
    expect((await merge('tir', '--sign', 'private.json')).exitCode).toBe(0)
    const markdown = read('statement/statement.md')
    writeFileSync(join(cwd, 'statement/statement.md'), markdown.replace('| 2 | 2 |', '| 9 | 9 |'))
    const changed = await verify()
    expect([changed.exitCode, broken(changed.stdout)]).toEqual([1, ['statement.files']])
    writeFileSync(join(cwd, 'statement/statement.md'), markdown)
    expect((await verify('--strict')).exitCode).toBe(0)

    rmSync(join(cwd, 'statement/results-tir-1.json'))
    const [missing, strict] = await Promise.all([verify(), verify('--strict')])
    expect([missing.exitCode, strict.exitCode]).toEqual([0, 1])
    expect(missing.stdout).toContain('not provided: results-tir-1.json')
    expect(missing.stdout).toContain('→ Put all files of the statement into the same folder.')
    expect(missing.stdout + missing.stderr).not.toMatch(/registries|--fetch/)

    await merge('tir')
    expect((await verify()).exitCode).toBe(2)
  })

  it('shows a contradiction between runs and counts the failure', async () => {
    copyRun('fails.json', (results) => {
      for (const scenario of results.scenarios.slice(0, 1)) scenario.verdict = 'failed'
    })
    expect((await merge('tir', 'fails.json')).exitCode).toBe(0)
    const statement = read('statement/statement.md')
    expect(statement).toMatch(/^\| tir \(part\) \| [\d-]+ \| 2 \| 1 \| 1 \| 0 \| 0 \|$/m)
    expect(statement).toContain('> The product gave different responses to the same check: T01.')
  })

  it('rejects runs of different products or kits unless the options say so', async () => {
    copyRun('product.json', ({ conformance }) => {
      if (conformance) conformance.target.name = 'Another TIR'
    })
    copyRun('kit.json', ({ conformance }) => {
      if (conformance) conformance.kitVersion = '0.0.1'
    })
    const [product, named, kit, mixed] = await Promise.all([
      merge('tir', 'product.json'),
      merge('tir', 'product.json', '--product', 'Acme'),
      merge('tir', 'kit.json'),
      merge('tir', 'kit.json', '--mixed-kits', '--out', 'mixed'),
    ])
    expect([product, named, kit, mixed].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 0])
    expect(product.stderr).toContain('Another TIR')
    expect(kit.stderr).toContain('0.0.1')
    expect(read('mixed/statement.md')).toContain('> The runs used different versions of the kit')
  })

  it('rejects a file without results, and a missing version', async () => {
    writeFileSync(join(cwd, 'x.json'), '[]')
    const [other, missing, unversioned] = await Promise.all([
      merge('x.json'),
      merge('no-such-folder'),
      run('report', 'merge', 'tir'),
    ])
    expect([other, missing, unversioned].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2])
    expect(unversioned.stderr).toContain('--product-version')
  })
})

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { type InstalledPackage, runProgram } from '#test/support/installed-package.ts'
import { root } from '#test/support/repository.ts'
import { verdictsIn } from '#test/support/results.ts'
import { findFreePorts } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'))

/** A folder in which npm finds all but the package itself installed: that takes seconds, not minutes. */
async function prepareInstall(installed: InstalledPackage, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const from = join(installed.folder, 'node_modules')
  expect(await runProgram('cp', ['-al', from, folder])).toMatchObject({ code: 0 })
}

function endWithTest(testbedFile: string): void {
  const { pid } = JSON.parse(readFileSync(testbedFile, 'utf8'))
  onTestFinished(() => void process.kill(pid, 'SIGTERM'))
}

/** Writes target.yaml: the testbed's own wallet, started by the plan. */
async function writeWalletTarget(folder: string, program: string): Promise<void> {
  const [port] = await findFreePorts(1)
  const serve = `exec "${program}" wallet serve --port ${port} --allow-private-addresses`
  const trust =
    '--did-registry "$TESTBED_DID_REGISTRY_URL" --tir "$TESTBED_TIR_URL" --root-did "$TESTBED_ROOT_DID"'
  const url = `http://127.0.0.1:${port}`
  const target = {
    plan: 'wallet',
    name: 'A wallet',
    start: { command: `sh -c '${serve} ${trust}'`, ready: `${url}/health` },
    adapter: { type: 'http', url },
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'target.yaml'), JSON.stringify(target))
}

/** W11 needs HTTPS. */
const planChecks = {
  pattern: '^W(01|11)$',
  verdicts: ['wallet/W01-offer-by-value passed', 'wallet/W11-http-endpoint inconclusive'],
}

/** A service setting that testbed.json shows. */
const managementConfig = 'issuer: { managementApiUrl: https://management.example }\n'

interface Step {
  readonly id?: string
  readonly name: string
  readonly run: string
  readonly env: Readonly<Record<string, string>>
}

/** The action's shell steps, run one by one as the runner of GitHub Actions runs them. */
function createRunner(folder: string, inputs: Readonly<Record<string, string>>) {
  const action = read('action.yml')
  const outputs = new Map<string, string>()
  const files = { GITHUB_OUTPUT: 'output', GITHUB_ENV: 'env', GITHUB_STEP_SUMMARY: 'summary.md' }
  const [workspace, temporary] = [join(folder, 'workspace'), join(folder, 'temporary')]
  for (const path of [workspace, temporary]) mkdirSync(path, { recursive: true })
  const fileOf = (name: keyof typeof files) => join(folder, files[name])
  const evaluate = (expression: string) =>
    expression.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => {
      const [context = '', name = ''] = path.split('.')
      if (context === 'inputs') return inputs[name] ?? action.inputs[name].default
      return outputs.get(path.split('.').at(-1) ?? '') ?? `no ${path}`
    })

  return {
    workspace,
    temporary,
    outputs,
    summary: () => readFileSync(fileOf('GITHUB_STEP_SUMMARY'), 'utf8'),
    variables: () => readFileSync(fileOf('GITHUB_ENV'), 'utf8'),
    async run(name: string) {
      const step: Step = action.runs.steps.find((each: Step) => each.name === name)
      const script = join(folder, 'step.sh')
      writeFileSync(script, step.run)
      for (const file of Object.keys(files)) writeFileSync(fileOf(file as 'GITHUB_ENV'), '')
      const env = {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: root,
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: temporary,
        ...Object.fromEntries(
          Object.keys(files).map((file) => [file, fileOf(file as 'GITHUB_ENV')]),
        ),
        ...Object.fromEntries(
          Object.entries(step.env).map(([key, value]) => [key, evaluate(value)]),
        ),
      }
      const args = ['--noprofile', '--norc', '-eo', 'pipefail', script]
      const outcome = await runProgram('bash', args, { cwd: workspace, env })
      for (const line of readFileSync(fileOf('GITHUB_OUTPUT'), 'utf8').split('\n')) {
        const [key = '', ...value] = line.split('=')
        if (key !== '') outputs.set(key, value.join('='))
      }
      return outcome
    },
  }
}

/** A job's variables and scripts with what it extends, run as a GitLab runner does: one shell. */
async function runJob(name: string, folder: string, env: Readonly<Record<string, string>>) {
  const jobs = read('ci/gitlab-testbed.yml')
  const job = jobs[name]
  const { variables: inherited = {}, ...base } = jobs[job.extends] ?? {}
  const whole = { ...base, ...job, variables: { ...inherited, ...job.variables } }
  const settings = { CI_BUILDS_DIR: join(folder, 'builds'), ...env }
  const expand = (value: string) =>
    value.replace(/\$(\w+)/g, (_, key: keyof typeof settings) => settings[key] ?? '')
  const variables = Object.fromEntries(
    Object.entries(whole.variables as Record<string, string>).map(([key, value]) => [
      key,
      expand(value),
    ]),
  )
  const script = ['set -e', ...whole.before_script, ...whole.script].join('\n')
  const cwd = join(folder, 'project')
  mkdirSync(cwd, { recursive: true })
  const options = { cwd, env: { CI: 'true', GITLAB_CI: 'true', ...settings, ...variables, ...env } }
  return { cwd, job: whole, outcome: await runProgram('bash', ['-c', script], options) }
}

/** The action's and the template's shell lines, run for real with the packed tarball. */
export function describeCi(installed: () => InstalledPackage): void {
  describe('action.yml', () => {
    it('installs a package, runs a shard, and reports it to the job', {
      timeout: 600_000,
    }, async () => {
      const { tarball } = installed()
      const runner = createRunner(createTemporaryFolder(), {
        package: `./${basename(tarball)}`,
        pattern: '^issuance/representative$',
        shard: '2/2',
      })
      await prepareInstall(installed(), join(runner.temporary, 'lear-testbed'))
      cpSync(tarball, join(runner.workspace, basename(tarball)))
      expect(await runner.run('Install the testbed')).toMatchObject({ code: 0 })
      expect(runner.outputs.get('program')).toContain(runner.temporary)
      const run = await runner.run('Run the suites')
      expect(run).toMatchObject({ code: 0 })
      const report = join(runner.workspace, 'lear-testbed-report')
      expect(verdictsIn(report)).toEqual(['issuance/representative/EdDSA passed'])
      expect(existsSync(join(report, 'junit.xml'))).toBe(true)
      expect(runner.summary()).toContain('1 passed')
    })

    it.each([
      ['false', 0],
      ['true', 1],
    ])(
      'runs a plan, whose warnings count if strict is %s',
      { timeout: 120_000 },
      async (strict, code) => {
        const runner = createRunner(createTemporaryFolder(), {
          plan: 'wallet',
          target: 'target.yaml',
          pattern: planChecks.pattern,
          strict,
        })
        const program = join(installed().folder, 'node_modules/.bin/testbed')
        runner.outputs.set('program', program)
        await writeWalletTarget(runner.workspace, program)
        expect(await runner.run('Run the plan')).toMatchObject({ code })
        const report = join(runner.workspace, 'lear-testbed-report')
        expect(verdictsIn(report)).toEqual(planChecks.verdicts)
        expect(existsSync(join(report, 'junit.xml'))).toBe(true)
      },
    )

    it('starts a testbed that keeps running for later steps', { timeout: 600_000 }, async () => {
      const runner = createRunner(createTemporaryFolder(), {
        'testbed-only': 'true',
        'port-base': '0',
        environments: 'pro',
        config: 'testbed.yaml',
      })
      writeFileSync(join(runner.workspace, 'testbed.yaml'), managementConfig)
      runner.outputs.set('program', join(installed().folder, 'node_modules/.bin/testbed'))
      expect(await runner.run('Start the testbed')).toMatchObject({ code: 0 })
      const path = runner.outputs.get('testbed-file') ?? ''
      endWithTest(path)
      const { environments } = JSON.parse(readFileSync(path, 'utf8'))
      expect(Object.keys(environments)).toEqual(['pro'])
      expect(environments.pro.managementApiUrl).toBe('https://management.example')
      expect(runner.variables()).toBe(`TESTBED_FILE=${path}\n`)
    })

    it('says why a testbed does not start', async () => {
      const runner = createRunner(createTemporaryFolder(), { environments: 'nowhere' })
      runner.outputs.set('program', join(installed().folder, 'node_modules/.bin/testbed'))
      const { code, stdout } = await runner.run('Start the testbed')
      expect(code).toBe(3)
      expect(stdout).toContain('nowhere')
    })
  })

  describe('ci/gitlab-testbed.yml', () => {
    it('runs a plan', async () => {
      const folder = createTemporaryFolder()
      await prepareInstall(installed(), join(folder, 'builds/lear-testbed'))
      const program = join(folder, 'builds/lear-testbed/node_modules/.bin/testbed')
      await writeWalletTarget(join(folder, 'project'), program)
      const { cwd, job, outcome } = await runJob('.testbed-conformance', folder, {
        TESTBED_PACKAGE: installed().tarball,
        TESTBED_PATTERN: planChecks.pattern,
        TESTBED_OPTIONS: '--strict',
      })
      expect(outcome).toMatchObject({ code: 1 })
      expect(verdictsIn(join(cwd, job.artifacts.paths[0]))).toEqual(planChecks.verdicts)
    }, 600_000)

    it('runs one shard of several jobs, or a script next to a testbed', async () => {
      const folder = createTemporaryFolder()
      await prepareInstall(installed(), join(folder, 'builds/lear-testbed'))
      const { cwd, job, outcome } = await runJob('.testbed', folder, {
        TESTBED_PACKAGE: installed().tarball,
        TESTBED_PATTERN: '^issuance/representative$',
        CI_NODE_INDEX: '1',
        CI_NODE_TOTAL: '2',
      })
      expect(outcome).toMatchObject({ code: 0 })
      const { paths, reports } = job.artifacts
      expect(verdictsIn(join(cwd, paths[0]))).toEqual(['issuance/representative/ES256K passed'])
      expect(readFileSync(join(cwd, reports.junit), 'utf8')).toContain('<testsuites')

      // What an earlier job on the same machine has left.
      const stale = join(folder, 'builds/lear-testbed-data/testbed.json')
      mkdirSync(dirname(stale))
      writeFileSync(stale, '{}')
      writeFileSync(join(cwd, 'testbed.yaml'), 'issuer: { mailLanguage: es }\n')
      const beside = await runJob('.testbed-running', folder, {
        TESTBED_PACKAGE: installed().tarball,
        TESTBED_PATTERN: '^issuance/representative/EdDSA$',
        TESTBED_PORT_BASE: '0',
        TESTBED_OPTIONS: '--config testbed.yaml',
      })
      endWithTest(stale)
      expect(beside.outcome).toMatchObject({ code: 0 })
      expect(beside.outcome.stderr).toContain('Using the running testbed')
      expect(verdictsIn(join(cwd, beside.job.artifacts.paths[0]))).toEqual([
        'issuance/representative/EdDSA passed',
      ])
    }, 600_000)
  })
}

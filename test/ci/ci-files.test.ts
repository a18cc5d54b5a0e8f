import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '#test/support/repository.ts'

const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const action = parse(readText('action.yml'))
const jobs = parse(readText('ci/gitlab-testbed.yml'))

interface Step {
  readonly id?: string
  readonly run?: string
  readonly uses?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}
const steps: readonly Step[] = action.runs.steps

/** What GitHub's documentation of the metadata syntax allows in a step of a composite action. */
const stepKeys = [
  'name',
  'id',
  'if',
  'shell',
  'run',
  'env',
  'uses',
  'with',
  'working-directory',
  'continue-on-error',
]

describe('action.yml', () => {
  it('has the form of a composite action', () => {
    expect(action).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    expect(action.runs.using).toBe('composite')
    expect(Object.keys(action).sort()).toEqual([
      'author',
      'branding',
      'description',
      'inputs',
      'name',
      'outputs',
      'runs',
    ])
    for (const input of Object.values(action.inputs)) {
      // A number or true would reach the steps as something else than was written.
      expect(input).toEqual({ description: expect.any(String), default: expect.any(String) })
    }
    for (const output of Object.values(action.outputs)) {
      expect(output).toEqual({ description: expect.any(String), value: expect.any(String) })
    }
  })

  it('has steps that either run in a named shell or use another action by its version', () => {
    for (const step of steps) {
      expect(Object.keys(step).filter((key) => !stepKeys.includes(key))).toEqual([])
      if (step.uses === undefined)
        expect(step).toMatchObject({ shell: 'bash', run: expect.any(String) })
      else expect(step.uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    }
    const ids = steps.flatMap(({ id }) => id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('refers only to inputs and steps that exist, and puts none of them into a script', () => {
    const text = readText('action.yml')
    const expressions = [
      ...[...text.matchAll(/\$\{\{ (.*?) \}\}/g)].map(([, expression = '']) => expression),
      ...[...text.matchAll(/^ +if: (.*)$/gm)].map(([, expression = '']) => expression),
    ]
    const names = expressions.flatMap((each) => [...each.matchAll(/\b(inputs|steps)\.([\w-]+)/g)])
    expect(names.length).toBeGreaterThan(10)
    for (const [, context, name = ''] of names) {
      const known = context === 'inputs' ? Object.keys(action.inputs) : steps.map(({ id }) => id)
      expect(known).toContain(name)
    }
    // An expression in a script would run as part of it, regardless of its value.
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
    const used = names.filter(([, context]) => context === 'inputs').map(([, , name]) => name)
    expect(Object.keys(action.inputs).filter((name) => !used.includes(name))).toEqual([])
  })

  it('reads in each script only variables that the step or the runner sets', () => {
    const ofRunner = ['GITHUB_ACTION_PATH', 'GITHUB_OUTPUT', 'GITHUB_ENV', 'RUNNER_TEMP']
    for (const { run = '', env = {} } of steps) {
      const read = [...run.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name = '']) => name)
      const unknown = read.filter((name) => !(name in env) && !ofRunner.includes(name))
      expect(unknown).toEqual([])
      expect(Object.keys(env).filter((name) => !read.includes(name))).toEqual([])
    }
  })
})

/** Keywords of a job (GitLab, CI/CD YAML syntax reference) as far as these use them. */
const jobKeys = ['image', 'extends', 'variables', 'before_script', 'script', 'artifacts']

describe('ci/gitlab-testbed.yml', () => {
  it('contains only hidden jobs with known keywords', () => {
    expect(Object.keys(jobs)).toEqual(['.testbed', '.testbed-conformance', '.testbed-running'])
    for (const job of Object.values(jobs) as Record<string, unknown>[]) {
      expect(Object.keys(job).filter((key) => !jobKeys.includes(key))).toEqual([])
      for (const part of ['before_script', 'script']) {
        const lines = job[part] ?? jobs[String(job.extends)]?.[part]
        expect(lines).toEqual(expect.arrayContaining([expect.any(String)]))
      }
      for (const value of Object.values(job.variables ?? {}))
        expect(value).toEqual(expect.any(String))
      if (job.extends !== undefined) expect(jobs).toHaveProperty([String(job.extends)])
    }
  })

  it('keeps the reports of failed jobs and shows their tests', () => {
    const { artifacts, script } = jobs['.testbed']
    expect(artifacts.when).toBe('always')
    expect(script.join('\n')).toContain(`--report ${artifacts.paths[0]}`)
    expect(artifacts.reports.junit).toBe(`${artifacts.paths[0]}/junit.xml`)
  })

  it('runs on the required Node version', () => {
    const major = Number.parseInt(readText('.nvmrc'), 10)
    expect(jobs['.testbed'].image).toBe(`node:${major}-bookworm-slim`)
  })
})

describe('docs/guides/ci.md', () => {
  const page = readText('docs/guides/ci.md')
  const [conformance, run, start, gitlab] = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(
    ([, text = '']) => parse(text),
  )

  it('uses only existing inputs and outputs of the action', () => {
    const jobs = [conformance.jobs.verifier, run.jobs.suites, start.jobs.tests]
    const uses = jobs
      .flatMap(({ steps }) => steps)
      .filter(({ uses = '' }) => uses.includes('/lear-testbed@'))
    expect(uses).toHaveLength(3)
    const given = uses.flatMap((step) => Object.keys(step.with))
    expect(given.filter((name) => !(name in action.inputs))).toEqual([])
    const read = [...page.matchAll(/steps\.testbed\.outputs\.([\w-]+)/g)].map(([, name]) => name)
    expect(read).toEqual(['testbed-file'])
    expect(action.outputs).toHaveProperty(['testbed-file'])
  })

  it('lists every input with its default', () => {
    const rows = [...page.matchAll(/^\| `([\w-]+)` \| (?:`([^`]*)` )?\|/gm)]
    const listed = Object.fromEntries(rows.map(([, name, preset = '']) => [name, preset]))
    const inputs = Object.entries(action.inputs as Record<string, { default: string }>)
    expect(listed).toEqual(Object.fromEntries(inputs.map(([name, each]) => [name, each.default])))
  })

  it('extends existing jobs of the template and sets variables that they read', () => {
    const { include, variables, ...own } = gitlab
    expect(include[0].remote).toMatch(/ci\/gitlab-testbed\.yml$/)
    // npm 12 refuses addresses, and the slim image has no git.
    expect(variables.TESTBED_PACKAGE).toMatch(/^\$CI_PROJECT_DIR\/[\w.-]+\.tgz$/)
    const text = readText('ci/gitlab-testbed.yml')
    for (const job of Object.values(own) as { extends: string; variables?: object }[]) {
      expect(jobs).toHaveProperty([job.extends])
      for (const name of Object.keys({ ...variables, ...job.variables })) {
        expect(text).toContain(`$${name}`)
      }
    }
  })
})

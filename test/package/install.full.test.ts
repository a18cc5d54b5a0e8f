import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Outcome, packRepository, runProgram } from '#test/support/installed-package.ts'

const nodes = { 18: '18.20.8', 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' } as const
const npms = { 9: '9.9.4', 10: '10.9.9', 11: '11.21.1', 12: '12.2.0' } as const
type Node = keyof typeof nodes
type Npm = keyof typeof npms

/** Every pair that npm's own `engines` field allows, and whether the package is really installed. */
const pairs: readonly (readonly [npm: Npm, node: Node, way: 'installed' | 'resolved'])[] = [
  [9, 18, 'installed'],
  [9, 20, 'resolved'],
  [9, 22, 'resolved'],
  [9, 24, 'resolved'],
  [10, 18, 'resolved'],
  [10, 20, 'installed'],
  [10, 22, 'resolved'],
  [10, 24, 'resolved'],
  [11, 20, 'resolved'],
  [11, 22, 'installed'],
  [11, 24, 'resolved'],
  [12, 22, 'resolved'],
  [12, 24, 'installed'],
]

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
const work = mkdtempSync(join(tmpdir(), 'lear-testbed-install-'))
const cache = join(work, 'cache')
let tarball: string

async function succeed(program: string, args: readonly string[], options = {}): Promise<Outcome> {
  const outcome = await runProgram(program, args, options)
  expect(outcome, `${outcome.stderr}${outcome.stdout}`).toMatchObject({ code: 0 })
  return outcome
}

/** Installs tools from the registry, apart from each other; returns their folder. */
async function provide(name: string, spec: string): Promise<string> {
  const folder = join(work, name)
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  await succeed('npm', ['install', '--ignore-scripts', ...quiet, spec], { cwd: folder })
  return folder
}

/** The environment of a terminal with this Node first on the PATH, and this npm with its npx. */
async function createTerminal(node: Node, npm: Npm) {
  const nodeFolder = await provide(
    `node-${node}`,
    `node@npm:node-${process.platform}-${process.arch}@${nodes[node]}`,
  )
  const npmFolder = await provide(`npm-${npm}`, `npm@${npms[npm]}`)
  const paths = [
    join(npmFolder, 'node_modules/.bin'),
    join(nodeFolder, 'node_modules/node/bin'),
    process.env.PATH,
  ]
  return { PATH: paths.join(delimiter), XDG_CACHE_HOME: cache }
}

function createProject(name: string): string {
  const folder = join(work, `project-${name}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  return folder
}

const scenario = ['run', '^issuance/representative/ES256K$']

beforeAll(async () => {
  tarball = await packRepository(work)
}, 300_000)
afterAll(() => rmSync(work, { recursive: true, force: true }))

describe('the package in an empty project', () => {
  it.each(pairs)(
    'is installed by npm %i on Node %i %s',
    { timeout: 300_000 },
    async (npm, node, way) => {
      const env = await createTerminal(node, npm)
      const cwd = createProject(`${npm}-${node}`)
      const options = { cwd, env }
      expect((await succeed('npm', ['--version'], options)).stdout).toBe(`${npms[npm]}\n`)
      expect((await succeed('node', ['--version'], options)).stdout).toBe(`v${nodes[node]}\n`)
      const dryRun = way === 'installed' ? [] : ['--dry-run']
      await succeed('npm', ['install', ...dryRun, ...quiet, tarball], options)
      if (way === 'resolved') return

      const { stdout } = await succeed('npx', ['--no', 'lear-testbed', ...scenario], options)
      expect(stdout).toMatch(/^1 passed, 0 failed, 0 skipped/m)
      rmSync(cwd, { recursive: true })
      // Besides a Node nothing is installed a second time.
      if (node < 24) expect(readdirSync(join(cache, 'lear-testbed'))).toEqual(['.node'])
    },
  )

  it.each([
    ['10.34.8', 20],
    ['12.20.0', 24],
  ] as const)('is installed by pnpm %s on Node %i', { timeout: 600_000 }, async (version, node) => {
    const env = await createTerminal(node, 10)
    const pnpm = join(await provide(`pnpm-${version}`, `pnpm@${version}`), 'node_modules/.bin/pnpm')
    const options = { cwd: createProject(`pnpm-${node}`), env }
    const store = resolve('.cache/pnpm')
    // Otherwise pnpm 12 wants each package with an install script approved or refused.
    await succeed(pnpm, ['add', '--ignore-scripts', '--store-dir', store, tarball], options)
    const { stdout } = await succeed(pnpm, ['exec', 'lear-testbed', ...scenario], options)
    expect(stdout).toMatch(/^1 passed, 0 failed, 0 skipped/m)
    // The project's own vitest, which the package does not declare.
    await succeed(pnpm, ['add', '--ignore-scripts', '--store-dir', store, 'vitest@3.2.4'], options)
    const script =
      "await import('lear-testbed/vitest').catch(({ message }) => console.log(message))"
    const imported = await succeed('node', ['--input-type=module', '--eval', script], options)
    if (node < 24) expect(imported.stdout).toContain('requires Node 24')
    else expect(imported.stdout).not.toContain('ERR_MODULE_NOT_FOUND')
  })
})

import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Results } from '#scenarios/harness/z-results.ts'
import {
  type InstalledPackage,
  installPackage,
  runProgram,
} from '#test/support/installed-package.ts'
import { root } from '#test/support/repository.ts'
import { describeCi } from './describe-ci.ts'
import { describeDocumentation } from './describe-documentation.ts'
import { describeImage } from './describe-image.ts'
import { describeWalks } from './describe-walks.ts'

const manifestText = readFileSync(join(root, 'package.json'), 'utf8')
const manifest = JSON.parse(manifestText)

let installed: InstalledPackage
let packageFolder: string
beforeAll(async () => {
  installed = await installPackage(join(import.meta.dirname, 'fixture'))
  packageFolder = join(installed.folder, 'node_modules/lear-testbed')
}, 600_000)
afterAll(() => installed?.remove())

const filesOf = (pattern: string) => globSync(pattern, { cwd: packageFolder }).sort()
const read = (path: string) => readFileSync(join(packageFolder, path), 'utf8')

/** Names of packages that the compiled modules and their declarations import. */
function importedPackages(): Set<string> {
  const names = filesOf('dist/!(documentation)/**/*.{js,ts}').flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(read(file), true, true)
    return importedFiles.map(({ fileName }) => fileName)
  })
  const bare = names.filter((name) => !/^[.#/]|^node:/.test(name) && !builtinModules.includes(name))
  return new Set(bare.map((name) => name.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? name))
}

describe('the packed files', () => {
  it('leave the working tree unchanged, and so does an install there', async () => {
    const prepare = join(root, 'scripts/prepare.mjs')
    expect(await runProgram('node', [prepare], { env: { INIT_CWD: root } })).toMatchObject({
      code: 0,
    })
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe(manifestText)
    expect(existsSync(join(root, 'dist'))).toBe(false)
  })

  it('can be published', async () => {
    const { code, stderr } = await runProgram('npm', ['publish', '--dry-run', '--ignore-scripts'])
    expect(stderr).not.toContain('auto-corrected')
    expect(code).toBe(0)
  })

  it('are at most 6 MB with the documentation, its pictures and bundles, without tests, sources or measurements', () => {
    expect(statSync(installed.tarball).size).toBeLessThan(6_000_000)
    const folders = new Set(filesOf('**/*').map((path) => path.split('/')[0]))
    expect([...folders].sort()).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'docs',
      'package.json',
      'scripts',
      'wallet-emulator',
    ])
    expect(filesOf('**/*.ts').filter((path) => !path.endsWith('.d.ts'))).toEqual([])
    expect(filesOf('dist/*').map((path) => path.slice(5))).toEqual([
      'bundles',
      'conformance',
      'containers',
      'contracts',
      'core',
      'docs',
      'documentation',
      'package.json',
      'scenarios',
      'services',
      'testbed',
      'wallet-emulator',
    ])
  })

  it('contain each module of the repository, and the files that these read at run time', () => {
    const folders = '{core,services,wallet-emulator,scenarios,conformance,testbed,containers}'
    const exclude = ['conformance/plans/*/mutants.ts']
    const sources = globSync(`${folders}/**/*.ts`, { cwd: root, exclude })
    const missing = sources.filter(
      (path) => !existsSync(join(packageFolder, 'dist', path.replace(/\.ts$/, '.js'))),
    )
    expect(sources.length).toBeGreaterThan(650)
    expect(missing).toEqual([])
    for (const folder of [
      'testbed/console/assets',
      'scenarios/reports/browser',
      'contracts/compiled',
      'conformance/targets/examples',
    ]) {
      const assets = globSync(`${folder}/*`, { cwd: root }).sort()
      expect(filesOf(`dist/${folder}/*`).map((path) => path.slice(5))).toEqual(assets)
      expect(assets.length).toBeGreaterThan(1)
    }
    const others = filesOf('dist/**/*').filter(
      (path) => /\.\w+$/.test(path) && !/^dist\/(bundles|documentation)\//.test(path),
    )
    for (const file of ['kysely.mjs', 'LICENSES.txt']) {
      expect(filesOf('dist/bundles/*')).toContain(`dist/bundles/${file}`)
    }
    for (const page of ['index.html', 'content-security-policy.txt', 'llms.txt']) {
      expect(filesOf('dist/documentation/*')).toContain(`dist/documentation/${page}`)
    }
    expect(others.filter((path) => !/\.(js|ts|css|json|yaml|tsv)$/.test(path))).toEqual([])
    const table = 'docs/coverage/clauses.tsv'
    expect(read(`dist/${table}`)).toBe(readFileSync(join(root, table), 'utf8'))
    expect(read('dist/.nvmrc')).toBe(readFileSync(join(root, '.nvmrc'), 'utf8'))
  })

  it('contain no details of the machine that packed them', () => {
    const work = dirname(installed.tarball)
    const telling = filesOf('**/*')
      .filter((path) => statSync(join(packageFolder, path)).isFile())
      .filter((path) => [root, work, 'sourceMappingURL'].some((text) => read(path).includes(text)))
    expect(telling).toEqual([])
  })

  it('declare what they import, and nothing else', () => {
    const imported = importedPackages()
    const declared = Object.keys(manifest.dependencies)
    // Not even as optional peers: npm 10 on Node 20 cannot install a package that has some.
    expect(manifest).not.toHaveProperty('peerDependencies')
    const broughtByProject = ['testcontainers', 'vitest']
    const undeclared = [...imported].filter((name) => !declared.includes(name))
    expect(undeclared.sort()).toEqual(broughtByProject)
    // Found by their files, not imported.
    const found = ['@sparticuz/chromium', 'lit-html', 'swagger-ui-dist']
    const unused = declared.filter((name) => !imported.has(name) && !found.includes(name))
    expect(unused).toEqual([])
  })
})

describe('the program', () => {
  it('passes a plan with its own part', async () => {
    const plan = ['lear-testbed', 'conformance', 'idp', '^O0[1-3]$', '--target', 'self']
    const { code, stdout } = await installed.run('npx', plan)
    expect(stdout).toContain('3 PASS')
    expect(code).toBe(0)
    const results = join(installed.folder, 'reports/conformance/results.json')
    // Only the build can have written it: the project has no git.
    expect(JSON.parse(readFileSync(results, 'utf8')).conformance.commit).toMatch(/^[\da-f]{40}$/)
  })

  it('names a page of the installed documentation for a broken rule', async () => {
    const offer = 'openid-credential-offer://?credential_offer=%7B%7D'
    writeFileSync(join(installed.folder, 'offer.txt'), offer)
    const verify = ['lear-testbed', 'verify', '--offline', 'offer.txt']
    const { code, stdout } = await installed.run('npx', verify)
    expect(code).toBe(1)
    const pages = [...stdout.matchAll(/^ +see (.+)#/gm)].map(([, page = '']) => page)
    expect(pages).toContain('node_modules/lear-testbed/dist/documentation/profile/connector.html')
    const { stdout: help } = await installed.run('npx', ['lear-testbed', '--help'])
    pages.push(/^Documentation: (.+)$/m.exec(help)?.[1] ?? '')
    for (const page of pages) expect(existsSync(join(installed.folder, page)), page).toBe(true)
  })

  it('prints its version and its scenarios', async () => {
    const version = await installed.run('npx', ['lear-testbed', '--version'])
    expect(version).toMatchObject({ code: 0, stdout: `${manifest.version}\n` })
    const { stdout } = await installed.run('npx', ['lear-testbed', 'list', '--json'])
    const ids = JSON.parse(stdout).map(({ id }: { id: string }) => id)
    const here = globSync('scenarios/suites/*/*.ts', { cwd: root })
    expect(ids).toContain('issuance/representative')
    expect(ids.length).toBeGreaterThanOrEqual(here.length)
  })
})

describe('the library', () => {
  it('has types that compile in a strict project', { timeout: 240_000 }, async () => {
    const { code, stdout } = await installed.run('npx', ['tsc', '--noEmit'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  })

  it.each([
    ['an older Node', { node: '23.9.0' }, 'This is Node 23.9.0.'],
    ['Bun', { bun: '1.4.5' }, 'This is Bun 1.4.5.'],
  ])(
    'prints the required Node version on %s, regardless of the imported entry',
    async (_, found, name) => {
      const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
      const script = `
      Object.defineProperty(process, 'versions', {
        value: { ...process.versions, ...${JSON.stringify(found)} },
      })
      for (const entry of ${JSON.stringify(entries)}) {
        await import(entry.replace('.', 'lear-testbed')).catch(({ message }) => console.log(message))
      }`
      const { stdout } = await installed.run('node', ['--input-type=module', '--eval', script])
      const lines = stdout.trim().split('\n')
      // What it is built on is not installed here.
      const [missing, ...others] = lines.filter(
        (line) => !line.includes(`requires Node 24 or newer. ${name}`),
      )
      expect(lines).toHaveLength(entries.length)
      expect(missing).toContain("'testcontainers'")
      expect(others).toEqual([])
    },
  )
})

interface TestReport {
  readonly title: string
  readonly status: string
  readonly duration: number
  readonly failureMessages: readonly string[]
}

const readReport = (folder: string): Results =>
  JSON.parse(readFileSync(join(installed.folder, 'reports', folder, 'results.json'), 'utf8'))

describe('vitest in another project', () => {
  it('has each scenario as a test', { timeout: 240_000 }, async () => {
    const reporters = ['--reporter=json', '--outputFile=vitest.json']
    const { code } = await installed.run('npx', ['vitest', 'run', ...reporters])
    expect(code).toBe(1)
    const report = JSON.parse(readFileSync(join(installed.folder, 'vitest.json'), 'utf8'))
    const tests: TestReport[] = report.testResults.flatMap(
      (file: { assertionResults: TestReport[] }) => file.assertionResults,
    )
    const lines = Object.fromEntries(tests.map(({ title, status }) => [title, status]))
    expect(lines).toEqual({
      'greeting/broken/EdDSA: The verifier greets by name': 'failed',
      'greeting/kept/ES256K: The issuer describes its credentials': 'passed',
      'issuance/representative/ES256K: A representative collects a personal credential': 'passed',
      'issuance/representative/EdDSA: A representative collects a personal credential': 'passed',
      'no scenario is in shard 9/9': 'passed',
    })
    const run = tests.filter(({ title }) => title.includes(': '))
    for (const { duration } of run) expect(duration).toBeGreaterThan(1)

    const [failure = ''] = tests.flatMap(({ failureMessages }) => failureMessages)
    expect(failure).toContain('the greeting is "good day", expected "hello Ana"')
    expect(failure).toContain('in the step: The verifier greets.')
    expect(failure).toContain("npx vitest run own.spec.ts -t 'greeting/broken/EdDSA'")
    expect(failure).toContain('own/greeting/broken.ts')
    for (const [folder, failed] of [
      ['scenarios', 0],
      ['own', 1],
    ] as const) {
      const { scenarios } = readReport(folder)
      const verdicts = scenarios.map(({ verdict }) => verdict)
      expect(verdicts.filter((verdict) => verdict === 'failed')).toHaveLength(failed)
      expect(verdicts).toHaveLength(2)
      for (const { id, hops } of scenarios) {
        expect(hops.length > 0, id).toBe(id !== 'greeting/broken/EdDSA')
      }
    }
    const [broken] = readReport('own').scenarios
    expect(broken).toMatchObject({
      file: 'own/greeting/broken.ts',
      repeat: "npx vitest run own.spec.ts -t 'greeting/broken/EdDSA'",
    })
    const junit = readFileSync(join(installed.folder, 'reports/own/junit.xml'), 'utf8')
    expect(junit).toContain('file="own/greeting/broken.ts" line="11"')
  })
})

describeImage(() => installed)
describeCi(() => installed)
describeDocumentation(() => installed)
describeWalks(() => installed)

import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runProgram } from '#test/support/installed-package.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** Newer than any Node, so that the one of these tests is too old for the package. */
const needed = 999

const program = `
console.log(JSON.stringify({ path: import.meta.filename, argv: process.argv.slice(2) }))
process.exitCode = 7
`

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
}

/** The package as npm installs it, without its dependencies, or with the ones given. */
function createPackage(dependencies: Readonly<Record<string, string>> = {}) {
  const folder = createTemporaryFolder()
  const packageFolder = join(folder, 'node_modules/lear-testbed')
  mkdirSync(join(packageFolder, 'dist/testbed/command-line'), { recursive: true })
  cpSync(join(root, 'bin'), join(packageFolder, 'bin'), { recursive: true })
  cpSync(join(root, 'scripts/bootstrap'), join(packageFolder, 'scripts/bootstrap'), {
    recursive: true,
  })
  writeFileSync(join(packageFolder, '.nvmrc'), `${needed}\n`)
  writeFileSync(join(packageFolder, 'dist/testbed/command-line/main.js'), program)
  const manifest = { name: 'lear-testbed', version: '1.2.3', type: 'module' }
  writeJson(join(packageFolder, 'dist/package.json'), { ...manifest, build: 'abc' })
  const development = { devDependencies: { 'not-for-users': 'file:./nowhere' } }
  writeJson(join(packageFolder, 'package.json'), { ...manifest, dependencies, ...development })

  const cache = join(folder, 'cache')
  const node = join(cache, 'lear-testbed/.node/node_modules')
  return {
    cache: join(cache, 'lear-testbed'),
    /** Puts a Node there as if npm had brought it. */
    provideNode() {
      mkdirSync(join(node, 'node/bin'), { recursive: true })
      symlinkSync(process.execPath, join(node, 'node/bin/node'))
      writeFileSync(join(node, '.installed-node'), `${needed}.0.0`)
    },
    run: (...args: string[]) =>
      runProgram(process.execPath, [join(packageFolder, 'bin/testbed'), ...args], {
        cwd: folder,
        env: { XDG_CACHE_HOME: cache },
      }),
  }
}

describe('the program of the package below an old Node', () => {
  it('goes on in a copy that is installed once, with arguments and exit code', async () => {
    const { cache, provideNode, run } = createPackage()
    provideNode()
    const first = await run('up', '--port-base', '5')
    expect(first).toMatchObject({ code: 7 })
    expect(JSON.parse(first.stdout)).toEqual({
      path: join(cache, '1.2.3-abc/dist/testbed/command-line/main.js'),
      argv: ['up', '--port-base', '5'],
    })
    expect(first.stderr).toContain('installing the packages')

    expect(await run('list')).toMatchObject({ code: 7, stderr: '' })
    expect(readdirSync(cache).sort()).toEqual(['.node', '1.2.3-abc'])
  })

  it('lets one of several first runs install', async () => {
    const { provideNode, run } = createPackage()
    provideNode()
    const runs = await Promise.all([run('a'), run('b')])
    expect(runs.map(({ code }) => code)).toEqual([7, 7])
    expect(runs.filter(({ stderr }) => stderr.includes('installing the packages'))).toHaveLength(1)
  })

  it('says what failed, with exit code 3, and leaves nothing half installed', async () => {
    const { cache, provideNode, run } = createPackage({ missing: 'file:./nowhere.tgz' })
    provideNode()
    const { code, stdout, stderr } = await run('up')
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('npm needs its registry')
    expect(readdirSync(cache)).toEqual(['.node'])
    expect(existsSync(join(cache, 'bootstrap.lock'))).toBe(false)
  })
})

import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runProgram } from '#test/support/installed-package.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** Newer than any Node, so that the one of these tests is too old for the package. */
const needed = '999.0.0'

const program = `
console.log(JSON.stringify({ path: import.meta.filename, argv: process.argv.slice(2) }))
process.exitCode = 7
`

/** The package as npm installs it, without its dependencies. */
function createPackage() {
  const folder = createTemporaryFolder()
  const packageFolder = join(folder, 'node_modules/lear-testbed')
  mkdirSync(join(packageFolder, 'dist/testbed/command-line'), { recursive: true })
  for (const part of ['bin', 'scripts/bootstrap']) {
    cpSync(join(root, part), join(packageFolder, part), { recursive: true })
  }
  writeFileSync(join(packageFolder, '.nvmrc'), `${needed}\n`)
  writeFileSync(join(packageFolder, 'dist/testbed/command-line/main.js'), program)
  writeFileSync(join(packageFolder, 'package.json'), JSON.stringify({ type: 'module' }))

  const cache = join(folder, 'cache')
  const node = join(cache, 'lear-testbed/.node/node_modules')
  return {
    packageFolder,
    cache: join(cache, 'lear-testbed'),
    /** Puts a Node there as if npm had brought it. */
    provideNode() {
      mkdirSync(join(node, 'node/bin'), { recursive: true })
      symlinkSync(process.execPath, join(node, 'node/bin/node'))
      writeFileSync(join(node, '.installed-node'), needed)
    },
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runProgram(process.execPath, [join(packageFolder, 'bin/testbed'), ...args], {
        cwd: folder,
        env: { XDG_CACHE_HOME: cache, ...env },
      }),
  }
}

describe('the program of the package below an old Node', () => {
  it('runs where it is installed, by the Node in the cache', async () => {
    const { packageFolder, cache, provideNode, run } = createPackage()
    provideNode()
    const outcome = await run(['up', '--port-base', '5'])
    expect(outcome).toMatchObject({ code: 7, stderr: '' })
    expect(JSON.parse(outcome.stdout)).toEqual({
      path: join(packageFolder, 'dist/testbed/command-line/main.js'),
      argv: ['up', '--port-base', '5'],
    })
    expect(readdirSync(cache)).toEqual(['.node'])
  })

  it('says what failed, and which parts need a new Node, with exit code 3', async () => {
    const { cache, run } = createPackage()
    const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
    const { code, stdout, stderr } = await run(['up'], offline)
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('to import lear-testbed, install Node 24')
    expect(stderr).toContain('npm needs its registry')
    expect(existsSync(join(cache, 'bootstrap.lock'))).toBe(false)
  })
})

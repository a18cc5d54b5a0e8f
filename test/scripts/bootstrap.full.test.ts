import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { runProgram } from '#test/support/installed-package.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const scripts = join(import.meta.dirname, '../../scripts')

/** Replaces bin/testbed: prints how it was started, then waits for a signal if asked to. */
const program = `
if (process.argv.includes('--wait')) {
  const alive = setInterval(() => {}, 1000)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      console.log(signal)
      clearInterval(alive)
      process.exitCode = 7
    })
  }
} else process.exitCode = Number(process.argv.at(-1)) || 0
// Last: whoever reads this may send a signal at once.
console.log(JSON.stringify({ argv: process.argv.slice(2), pid: process.pid }))
`

/** Replaces npm: unpacks three packages, each after the test has seen the one before. */
const slowNpm = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
if (!process.argv.includes('--version')) {
  for (const [index, name] of ['first', 'second', 'third'].entries()) {
    while (index > 0 && !existsSync('shown-' + index)) await new Promise(setImmediate)
    mkdirSync('node_modules/' + name, { recursive: true })
    writeFileSync('node_modules/' + name + '/package.json', '{}')
  }
}
`

/** Replaces the program that bundles packages: there are none. */
const bundler = "import { mkdirSync } from 'node:fs'\nmkdirSync(process.argv[2])\n"

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A project without dependencies: `npm ci` does its work in it without a network. */
async function createProject({ neededNode = '24.0.0', dependency = '' } = {}): Promise<string> {
  const root = createTemporaryFolder()
  const manifest = {
    name: 'fixture',
    version: '1.0.0',
    ...(dependency === '' ? {} : { dependencies: { [dependency]: '1.0.0' } }),
  }
  const lockfile = {
    ...manifest,
    lockfileVersion: 3,
    packages: {
      '': manifest,
      ...(dependency === ''
        ? {}
        : { [`node_modules/${dependency}`]: { version: '1.0.0', integrity: 'sha512-AA==' } }),
    },
  }
  await mkdir(join(root, 'bin'))
  await cp(join(scripts, 'bootstrap'), join(root, 'scripts/bootstrap'), { recursive: true })
  await cp(join(scripts, 'bootstrap.mjs'), join(root, 'scripts/bootstrap.mjs'))
  await mkdir(join(root, 'scripts/package'))
  await writeFile(join(root, 'scripts/package/bundle-packages.mjs'), bundler)
  await writeFile(join(root, '.nvmrc'), `${neededNode}\n`)
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(lockfile))
  await writeFile(join(root, 'bin/testbed'), program)
  return root
}

/** Puts a Node into `.node/` as if npm had installed it. */
async function provideLocalNode(root: string, version: string) {
  const folder = join(root, '.node/node_modules')
  await mkdir(join(folder, 'node/bin'), { recursive: true })
  await symlink(process.execPath, join(folder, 'node/bin/node'))
  await writeFile(join(folder, '.installed-node'), version)
}

function start(root: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['scripts/bootstrap.mjs', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

async function run(root: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = start(root, args, env)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, code, printed: stdout === '' ? undefined : JSON.parse(stdout) }
}

describe('bootstrap', () => {
  it('installs once, then hands over with arguments and exit code', async () => {
    const root = await createProject()
    const first = await run(root, ['start', '--port-base', '5'])
    expect(first).toMatchObject({ code: 5, printed: { argv: ['up', '--port-base', '5'] } })
    expect(first.stderr).toContain('installing')

    const second = await run(root, ['testbed', 'list', '--json'])
    expect(second).toMatchObject({ code: 0, stderr: '', printed: { argv: ['list', '--json'] } })
  })

  it('installs again if the lockfile has changed or node_modules is missing', async () => {
    const root = await createProject()
    await run(root, ['start'])
    const lockfile = { name: 'fixture', version: '1.0.0', lockfileVersion: 3, packages: {} }
    await writeFile(join(root, 'package-lock.json'), JSON.stringify(lockfile, null, 2))
    expect((await run(root, ['start'])).stderr).toContain('installing')
    expect((await run(root, ['start'])).stderr).toBe('')
    await rm(join(root, 'node_modules'), { recursive: true })
    expect((await run(root, ['start'])).stderr).toContain('installing')
  })

  it('lets one of several first runs install while the others wait', async () => {
    const root = await createProject()
    const runs = await Promise.all([1, 2, 3].map(() => run(root, ['start'])))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(runs.filter(({ stderr }) => stderr.includes('installing the packages'))).toHaveLength(1)
    expect(existsSync(join(root, '.node/bootstrap.lock'))).toBe(false)
  })

  it.each([
    ['a terminal', 'process.stderr.isTTY = true'],
    ['a log', ''],
  ])('reports the progress of npm to %s', async (_, preload) => {
    const root = await createProject()
    const names = ['first', 'second', 'third']
    const other = process.platform === 'win32' ? 'linux' : 'win32'
    const packages = {
      '': { name: 'fixture', version: '1.0.0' },
      ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
      'node_modules/elsewhere': { version: '1.0.0', optional: true, os: [other] },
      'node_modules/linked': { resolved: 'linked', link: true },
    }
    const lockfile = { name: 'fixture', version: '1.0.0', lockfileVersion: 3, packages }
    await writeFile(join(root, 'package-lock.json'), JSON.stringify(lockfile))
    const npm = join(root, 'npm-cli.js')
    await writeFile(npm, slowNpm)
    const child = start(root, ['start'], {
      npm_execpath: npm,
      NODE_OPTIONS: `--import ${JSON.stringify(`data:text/javascript,${preload}`)}`,
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
      const [, count] = /(\d) of 3 packages$/.exec(stderr) ?? []
      // The next package is unpacked once the line has the last one.
      if (count !== undefined) writeFileSync(join(root, `shown-${count}`), '')
    })
    if (preload === '')
      for (const name of ['shown-1', 'shown-2']) writeFileSync(join(root, name), '')
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    const begin = 'testbed: installing the packages of package-lock.json (once, about a minute)\n'
    const line = '\r\u001B[K'
    const shown = [1, 2].map((count) => `${line}testbed: ${count} of 3 packages`).join('')
    if (preload === '') expect(stderr).toBe(begin)
    else expect(stderr.replace(`${line}testbed: 3 of 3 packages`, '')).toBe(begin + shown + line)
  })

  it('starts without bundled packages if they cannot be bundled', async () => {
    const root = await createProject()
    await writeFile(join(root, 'scripts/package/bundle-packages.mjs'), 'import "absent-package"')
    const { code, stderr } = await run(root, ['start'])
    expect(code).toBe(0)
    expect(stderr).toContain('starts will be slower, because the packages were not bundled')
  })

  it('takes over from a process that died while it installed', async () => {
    const root = await createProject()
    const ended = spawn(process.execPath, ['-e', ''])
    await once(ended, 'close')
    await mkdir(join(root, '.node'))
    await writeFile(join(root, '.node/bootstrap.lock'), String(ended.pid))
    const runs = await Promise.all([1, 2, 3].map(() => run(root, ['start'])))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(runs.filter(({ stderr }) => stderr.includes('installing the packages'))).toHaveLength(1)
  })

  it('says what to do if the registry is unreachable, and exits with code 3', async () => {
    const root = await createProject({ dependency: 'absent-package' })
    const offline = {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(root, 'cache'),
    }
    const result = await run(root, ['start'], offline)
    expect(result).toMatchObject({ code: 3, stdout: '' })
    expect(result.stderr).toContain('npm config get registry')
    expect((await run(root, ['test'], offline)).code).toBe(1)
  })

  it('does not run install scripts of packages, regardless of the user settings', async () => {
    const root = await createProject()
    const manifest = {
      name: 'scripted',
      version: '1.0.0',
      scripts: { install: 'echo ran > $INIT_CWD/ran' },
    }
    await mkdir(join(root, 'scripted'))
    await writeFile(join(root, 'scripted/package.json'), JSON.stringify(manifest))
    const dependencies = { scripted: 'file:scripted' }
    const lockfile = {
      name: 'fixture',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'fixture', version: '1.0.0', dependencies },
        'node_modules/scripted': { resolved: 'scripted', link: true },
        scripted: { version: '1.0.0', hasInstallScript: true },
      },
    }
    await writeFile(join(root, 'package.json'), JSON.stringify({ ...lockfile.packages[''] }))
    await writeFile(join(root, 'package-lock.json'), JSON.stringify(lockfile))
    for (const setting of ['false', 'true']) {
      await rm(join(root, 'node_modules'), { recursive: true, force: true })
      const { code } = await run(root, ['start'], { npm_config_ignore_scripts: setting })
      expect(code).toBe(0)
      expect(existsSync(join(root, 'node_modules/scripted'))).toBe(true)
      expect(existsSync(join(root, 'ran'))).toBe(false)
    }
  })

  it('rejects an unknown command', async () => {
    const root = await createProject()
    expect(await run(root, ['restart'])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(root, ['constructor'])).toMatchObject({ code: 2, stdout: '' })
  })

  it.each([
    ['that replaces npm', '24.0.0'],
    ['in a child with another Node', '99.1.0'],
  ])('ends the program %s when npm is killed', async (_, neededNode) => {
    const root = await createProject({ neededNode })
    if (neededNode === '99.1.0') await provideLocalNode(root, neededNode)
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const scripts = { start: 'exec node scripts/bootstrap.mjs start' }
    await writeFile(join(root, 'package.json'), JSON.stringify({ ...manifest, scripts }))
    await run(root, ['start'])
    const npm = spawn('npm', ['start', '--silent', '--', '--wait'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(npm)
    const output = text(npm.stdout)
    const [first] = await once(npm.stdout, 'data')
    expect(JSON.parse(String(first)).argv).toEqual(['up', '--wait'])
    npm.kill('SIGKILL')
    // The output ends when the program, which holds it too, has ended.
    expect(await output).toContain('SIGTERM')
  })

  describe('on a machine with an older Node', () => {
    const createOldProject = async () => {
      // As seen from a project that needs version 99, the present Node is old.
      const root = await createProject({ neededNode: '99.1.0' })
      await provideLocalNode(root, '99.1.0')
      return root
    }

    it('continues with the Node in .node', async () => {
      const root = await createOldProject()
      expect(await run(root, ['start', '4'])).toMatchObject({
        code: 4,
        printed: { argv: ['up', '4'] },
      })
      expect(await run(root, ['start'])).toMatchObject({ code: 0, stderr: '' })
    })

    it.each(['24.0.0', '99.0.9', '99.2.0'])(
      'replaces Node %s in .node by the exact one, without install scripts',
      async (version) => {
        const root = await createProject({ neededNode: '99.1.0' })
        await provideLocalNode(root, version)
        const folder = join(root, 'path')
        await mkdir(folder)
        await writeFile(join(folder, 'npm'), '#!/bin/sh\necho "npm was called: $*"; exit 9\n')
        await chmod(join(folder, 'npm'), 0o755)
        const result = await run(root, ['start'], { PATH: `${folder}:${process.env.PATH}` })
        expect(result.code).toBe(3)
        expect(result.stderr).toMatch(/npm was called: install .*node-[\w-]+@99\.1\.0 /)
        expect(result.stderr).toMatch(/ --ignore-scripts /)
      },
    )

    const startWaiting = async () => {
      const root = await createOldProject()
      await run(root, ['start'])
      const child = start(root, ['start', '--wait'])
      const output = text(child.stdout)
      const [first] = await once(child.stdout, 'data')
      return { child, output, pid: JSON.parse(String(first)).pid as number }
    }

    it.each(['SIGINT', 'SIGTERM'] as const)('forwards %s', async (signal) => {
      const { child, output, pid } = await startWaiting()
      expect(pid).not.toBe(child.pid)
      child.kill(signal)
      expect(await once(child, 'close')).toEqual([7, null])
      expect(await output).toContain(signal)
    })

    it('ends with the signal that ended the program', async () => {
      const { child, pid } = await startWaiting()
      process.kill(pid, 'SIGKILL')
      expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
    })

    it('ends the program if it is killed', async () => {
      const { child, output } = await startWaiting()
      child.kill('SIGKILL')
      // The output ends when the program, which holds it too, has ended.
      expect(await output).toContain('SIGTERM')
    })
  })
})

describe('the program of the package below an old Node', () => {
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
      /** Puts a Node there as if npm had installed it. */
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

  it('runs from its installation folder, with the Node in the cache', async () => {
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
    expect(stderr).toContain('To import lear-testbed, install Node 24')
    expect(stderr).toContain('npm requires its registry')
    expect(existsSync(join(cache, 'bootstrap.lock'))).toBe(false)
  })
})

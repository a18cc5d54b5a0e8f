import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isInstalled, isNewEnough, markInstalled, readNodeVersion } from './installed.mjs'
import { withLock } from './lock.mjs'
import { say, showInstallation } from './progress.mjs'

/**
 * Installs what is missing, a newer Node or the packages, in one process at a time.
 * @returns the path of the Node to continue with
 */
export async function provide(root) {
  const version = readNodeVersion(root)
  const ready = () => (isNewEnough(root) ? process.execPath : localNode(root, version))
  const present = ready()
  if (present !== undefined && isInstalled(root)) return present

  const folder = nodeFolderOf(root)
  mkdirSync(folder, { recursive: true })
  return withLock(join(folder, 'bootstrap.lock'), async () => {
    // The previous holder of the lock may have installed everything.
    const node = ready() ?? (await installNode(root, version))
    if (!isInstalled(root)) {
      say('installing the packages of package-lock.json (once, about a minute)')
      await installPackages(root, node)
    }
    return node
  })
}

// Separate from the main node_modules: `npm ci` empties that folder, and would remove its own Node.
export const nodeFolderOf = (root) => join(root, '.node')
const nodeOf = (root) => join(nodeFolderOf(root), 'node_modules', 'node', 'bin', 'node')
const stampOf = (root) => join(nodeFolderOf(root), 'node_modules', '.installed-node')

/** Path of the Node in `.node/`, if it is complete and of this version. */
export function localNode(root, version) {
  try {
    const isThere = readFileSync(stampOf(root), 'utf8') === version && existsSync(nodeOf(root))
    return isThere ? nodeOf(root) : undefined
  } catch {
    return undefined
  }
}

/**
 * The package with the binary for this machine. The package `node` would choose it in an install
 * script, which npm may not be allowed to run.
 */
function binaryPackage() {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${arch}`
}

/** Installs an exact version of Node into `.node/` with npm, and returns its path. */
export async function installNode(root, version) {
  const folder = nodeFolderOf(root)
  mkdirSync(folder, { recursive: true })
  say(
    `Node ${process.versions.node} is too old, Node ${Number.parseInt(version, 10)} is required: ` +
      `downloading Node ${version} into ${folder} (once, about 60 MB)`,
  )
  const advice = `${networkAdvice}\nOr install Node ${version} yourself: https://nodejs.org`
  // Otherwise npm may install into a folder above that has a package.json.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--prefix', folder, `node@npm:${binaryPackage()}@${version}`]
  await runQuietly('npm', [...args, ...quietInstall], { cwd: folder, env: process.env, advice })
  const node = nodeOf(root)
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status !== 0 || stdout.trim() !== `v${version}`) {
    throw new Error(`The Node that npm installed, ${node}, does not run here.\n${advice}`)
  }
  writeFileSync(stampOf(root), version)
  return node
}

/** Installed only if no existing npm runs under the Node to install with. */
const npmVersion = '11.21.1'

const cliIn = (folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')

/** Possible places of npm's program: the npm that started us, next to Node, on the PATH. */
function* npmPrograms(root) {
  const starter = process.env.npm_execpath
  if (starter?.endsWith('npm-cli.js')) yield starter
  yield cliIn(join(dirname(dirname(process.execPath)), 'lib'))
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'npm')
    if (existsSync(program)) yield realpathSync(program)
  }
  yield cliIn(join(root, '.node'))
}

/**
 * npm as a program that the given Node can run; the npm of some distributions runs only under their
 * own Node.
 */
async function npmFor(root, node, env) {
  for (const program of npmPrograms(root)) {
    if (!program.endsWith('.js') || !existsSync(program)) continue
    if (spawnSync(node, [program, '--version'], { env }).status === 0) return program
  }
  const folder = join(root, '.node')
  const args = ['install', '--prefix', folder, `npm@${npmVersion}`, ...quietInstall]
  await runQuietly('npm', args, { cwd: folder, env: process.env, advice: networkAdvice })
  return cliIn(folder)
}

/**
 * Runs `npm ci` under the Node that will run the program: npm omits optional native packages that
 * its own Node is too old for, which fails much later.
 */
export async function installPackages(root, node) {
  const path = [dirname(node), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, npm_config_engine_strict: 'false' }
  const npm = await npmFor(root, node, env)
  const hideProgress = showInstallation(root)
  try {
    await runQuietly(node, [npm, 'ci', ...quietInstall], { cwd: root, env, advice: networkAdvice })
    await bundlePackages(root, node)
  } finally {
    hideProgress()
  }
  markInstalled(root)
}

/** Saves a fifth of each start. Without it, packages are loaded module by module. */
async function bundlePackages(root, node) {
  const program = join(root, 'scripts/package/bundle-packages.mjs')
  const folder = join(root, 'node_modules/.bundles')
  await runQuietly(node, [program, folder], {
    cwd: root,
    env: process.env,
    advice: 'Run `npm ci`, then the same command again.',
  }).catch((error) =>
    say(`starts will be slower, because the packages were not bundled: ${error.message}`),
  )
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command quietly; its output is shown only if it fails. A signal ends it too.
 * @param advice what to do if it fails
 */
export async function runQuietly(command, args, { cwd, env, advice }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk) => {
    output = (output + chunk).slice(-8192)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)

  const interrupt = (signal) => {
    child.kill(signal)
    child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  for (const signal of signals) process.once(signal, interrupt)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      keep(error.message)
      resolve(127)
    })
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  for (const signal of signals) process.removeListener(signal, interrupt)
  if (code === 0) return
  const shown = output.trim().split('\n').slice(-15).join('\n  ')
  throw new Error(`${[command, ...args].join(' ')} failed (${code}).\n  ${shown}\n${advice}`)
}

/** npm's settings for a quiet, complete install. No package needs its install script. */
export const quietInstall = [
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
  '--ignore-scripts',
  '--global=false',
  '--include=dev',
  '--include=optional',
]

export const networkAdvice =
  'npm requires its registry (`npm config get registry`): check the network, a proxy ' +
  '(`npm config get https-proxy`) and the free disk space, then run the same command again.'

import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { markInstalled } from './installed-packages.mjs'
import { networkAdvice, quietInstall, runQuietly } from './run-npm.mjs'

/** Installed only where no npm is found that runs under the Node to install with. */
const npmVersion = '11.21.1'

const cliIn = (folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')

/** Places where npm's own program may be: who started us, beside Node, on the PATH. */
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

/** npm as a program that the given Node can run; some distributions' npm runs under theirs alone. */
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
 * Runs `npm ci` under the Node that will run: npm leaves out optional native packages that the Node
 * it runs under is too old for, and what needs them fails much later.
 */
export async function installPackages(root, node) {
  const path = [dirname(node), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, npm_config_engine_strict: 'false' }
  const npm = await npmFor(root, node, env)
  await runQuietly(node, [npm, 'ci', ...quietInstall], { cwd: root, env, advice: networkAdvice })
  markInstalled(root)
}

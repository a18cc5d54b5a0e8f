import { spawn } from 'node:child_process'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command quietly; what it printed is shown only where it fails. A signal ends it too.
 * @param advice what a person can do where it fails
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
  'npm needs its registry (`npm config get registry`): check the network, a proxy ' +
  '(`npm config get https-proxy`) and the free disk space, then run the same command again.'

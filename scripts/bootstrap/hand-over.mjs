import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { onParentEnd } from './end-with-parent.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Continues with the program, in this process if Node supports that, else in a child, which
 * receives our signals and determines our exit code. A signal may arrive twice (a terminal sends
 * Ctrl-C to both): stopping is repeatable. If npm started this process, the program ends with npm,
 * even if npm is killed.
 */
export async function handOver(node, argv, root, parent = process.ppid) {
  const env = {
    // The same Node for all processes started from here.
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    // Node strips the types of each file once and keeps the result.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'),
    // glibc would raise this threshold from its initial value when a large block is freed, and then
    // keep more freed memory: about 40 MiB after a few runs of all suites.
    MALLOC_MMAP_THRESHOLD_: '131072',
  }
  const whole = { ...process.env, ...env }
  const preload = ['--import', join(root, 'scripts/bootstrap/end-with-parent.mjs')]
  if (node === process.execPath && typeof process.execve === 'function') {
    const forParent = isRunByNpm(root) ? { LEAR_TESTBED_PARENT: String(parent) } : {}
    process.execve(node, [node, ...preload, ...argv], { ...whole, ...forParent })
  }

  // The third pipe is never written to: the child sees it close when this process is killed.
  const child = spawn(node, [...preload, ...argv], {
    env: { ...whole, LEAR_TESTBED_PARENT_PIPE: '3' },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  if (isRunByNpm(root)) onParentEnd(parent, () => child.kill('SIGTERM'))
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (...ending) => resolve(ending))
  })
  if (signal === null) process.exit(code)
  // The parent must see the child's signal as our own.
  for (const each of signals) process.removeAllListeners(each)
  process.kill(process.pid, signal)
  process.exit(128 + constants.signals[signal])
}

/**
 * Whether this is one of the project's own npm scripts, which replace their shell with this
 * process.
 */
function isRunByNpm(root) {
  return process.env.npm_package_json === join(root, 'package.json')
}

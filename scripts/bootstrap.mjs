#!/usr/bin/env node
// The first file that runs, by whatever Node the machine has (18 or newer), so plain JavaScript
// without a dependency. It sees to a Node that is new enough and to the installed packages, then
// hands over. `node scripts/bootstrap.mjs start|test|check|mutants|bench|docs|testbed [ARGUMENTS]`
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled, isNewEnough } from './bootstrap/installed.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// Read at once: npm may be killed while packages are being installed.
const parent = process.ppid

/** What each command runs, and the exit code where it could not be set up. */
const commands = {
  start: { run: ['bin/testbed', 'up'], failure: 3 },
  testbed: { run: ['bin/testbed'], failure: 3 },
  test: { run: ['scripts/run-tests.ts'], failure: 1 },
  check: { run: ['scripts/run-checks.ts'], failure: 1 },
  mutants: { run: ['test/conformance/mutation/main.ts'], failure: 1 },
  bench: { run: ['bench/main.ts'], failure: 1 },
  docs: { run: ['scripts/documentation/main.ts'], failure: 1 },
  prepack: { run: ['scripts/prepack.mjs'], failure: 1 },
}

const [name, ...rest] = process.argv.slice(2)
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined
if (command === undefined) {
  console.error(`Usage: node scripts/bootstrap.mjs ${Object.keys(commands).join('|')} [ARGUMENTS]`)
  process.exit(2)
}

const [file, ...given] = command.run
const argv = [join(root, file), ...given, ...rest]

try {
  let node = process.execPath
  // The rest of the bootstrap is loaded only where there is something to do.
  if (!isNewEnough(root) || !isInstalled(root)) {
    const { provide } = await import('./bootstrap/install.mjs')
    node = await provide(root)
  }
  const { handOver } = await import('./bootstrap/hand-over.mjs')
  await handOver(node, argv, root, parent)
} catch (error) {
  console.error(`testbed: ${error instanceof Error ? error.message : error}`)
  process.exit(command.failure)
}

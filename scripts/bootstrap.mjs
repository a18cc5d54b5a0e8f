#!/usr/bin/env node
// The first file that runs, on any Node from version 18, so it is plain JavaScript without
// dependencies. It ensures that a new enough Node and the packages are installed, then hands over.
//
// `node scripts/bootstrap.mjs start|test|check|mutants|bench|docs|testbed [ARGUMENTS]`
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled, isNewEnough } from './bootstrap/installed.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// Read now: npm may be killed while it installs packages.
const parent = process.ppid

/** The program of each command, and the exit code if the setup fails. */
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
  // The rest of the bootstrap is loaded only if there is something to do.
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

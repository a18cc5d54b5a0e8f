// Runs the third-party systems and keeps the results; see --help.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitWithUsage, readArguments } from '../../../scripts/read-arguments.ts'
import { createPages, pagesFolder } from './recording/create-pages.ts'
import { foreignSystems } from './recording/foreign-systems.ts'
import { findMissingCommands } from './recording/install-program.ts'
import { observeSystem } from './recording/observe-system.ts'
import { compareRuns, foreignFolder, readRecord } from './recording/recorded-runs.ts'

const names = foreignSystems.map(({ name }) => name)
const usage = `node test/conformance/foreign/record.ts [NAME…] [--check]

Runs the conformance kit against third-party systems, and writes NAME/recorded.json and the pages in
docs/reference/foreign-systems.

NAME     ${names.join(', ')}; by default all
--check  writes nothing; exits with code 1 if a verdict differs from the recorded one
--help   prints this text`

const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) exitWithUsage(usage, `Unknown: ${unknown.join(', ')}.`)
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())

for (const system of foreignSystems) {
  const { name } = system
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const missing = system.program && findMissingCommands(system.program)
  if (missing) {
    console.log(`${name}: skipped, ${missing}`)
    continue
  }
  const observed = await observeSystem(system, interrupted.signal)
  if (values.check) {
    const differences = compareRuns(await readRecord(name), observed)
    for (const difference of differences) console.log(`${name}: ${difference}`)
    if (differences.length > 0) process.exitCode = 1
  } else {
    const file = join(foreignFolder, name, 'recorded.json')
    const { findings, ...rest } = observed
    const lines = findings.map((finding) => JSON.stringify(finding))
    const head = JSON.stringify(rest).slice(0, -1)
    await writeFile(file, `${head},\n"findings": [\n${lines.join(',\n')}\n]}\n`)
    console.log(`${name}: ${observed.findings.length} recorded`)
  }
}
if (!values.check) {
  await mkdir(pagesFolder, { recursive: true })
  for (const [file, page] of Object.entries(await createPages())) {
    await writeFile(join(pagesFolder, file), page)
  }
}

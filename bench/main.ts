#!/usr/bin/env node
// Measures what design/architecture.md promises, each beside a peer in the same run:
// `npm run bench`, or `npm run bench -- NAME …`; `--json` prints the figures as data.
import { globSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure, Measurement } from './harness/measurement.ts'

const folder = join(import.meta.dirname, 'measurements')
const names = globSync('*.ts', { cwd: folder })
  .map((file) => basename(file, '.ts'))
  .sort()

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Measurements: ${names.join(', ')}`)
  process.exit(2)
}

const results: Record<string, readonly Figure[]> = {}
console.error(`${availableParallelism()} cores, ${cpus()[0]?.model}, Node ${process.versions.node}`)
for (const name of names) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const { measurement }: { measurement: Measurement } = await import(join(folder, `${name}.ts`))
  console.error(`\n${name}: ${measurement.title}`)
  const figures = await measurement.measure((line) => console.error(`  ${line}`))
  results[name] = figures
  if (!values.json) console.log(printFigures(`${name}: ${measurement.title}`, figures))
}
if (values.json) console.log(JSON.stringify(results, undefined, 2))
const missed = Object.values(results)
  .flat()
  .some(({ holds }) => !holds)
process.exit(missed ? 1 : 0)

/** The figures of one measurement as lines for a terminal. */
function printFigures(title: string, figures: readonly Figure[]): string {
  const lines = figures.flatMap((figure) => [
    `  ${figure.holds ? 'holds ' : 'MISSED'}  ${figure.what}: ${figure.target}`,
    `          ours  ${figure.ours}`,
    ...(figure.peer === undefined ? [] : [`          peer  ${figure.peer}`]),
  ])
  return [title, ...lines].join('\n')
}

import type { Command } from 'commander'
import { wrongUsage } from '#scenarios/errors.ts'
import { suggestNames } from '#scenarios/harness/command-line.ts'
import { loadScenarios, selectScenarios } from '#scenarios/harness/select-scenarios.ts'

export const summary = 'list the scenarios of all suites'

export const examples = [
  ['list', 'all suites and scenarios'],
  ['list revocation', 'scenarios whose name contains "revocation"'],
] as const

export function configure(command: Command): void {
  command
    .argument('[pattern]', 'regular expression on suite/scenario')
    .action((pattern: string | undefined, options: ListOptions) => list(pattern, options))
}

interface ListOptions {
  readonly json?: boolean
}

async function list(pattern: string | undefined, { json }: ListOptions): Promise<void> {
  const known = await loadScenarios()
  const runs = selectScenarios(known, { pattern })
  if (runs.length === 0 && pattern !== undefined) {
    const names = known.map(({ id }) => id)
    throw wrongUsage(`No scenario matches ${pattern}.`, suggestNames(pattern, names))
  }
  const scenarios = [...Map.groupBy(runs, ({ scenario }) => scenario)].map(([scenario, each]) => ({
    id: scenario.id,
    title: scenario.title,
    category: scenario.category,
    description: scenario.description.trim(),
    references: scenario.references,
    exclusive: scenario.exclusive ?? false,
    algorithms: each.map(({ algorithm }) => algorithm),
  }))
  if (json) {
    process.stdout.write(`${JSON.stringify(scenarios, undefined, 2)}\n`)
    return
  }
  const width = Math.max(0, ...scenarios.map(({ id }) => id.length))
  for (const { id, title, algorithms } of scenarios) {
    process.stdout.write(`${id.padEnd(width)}  ${title} (${algorithms.join(', ')})\n`)
  }
}

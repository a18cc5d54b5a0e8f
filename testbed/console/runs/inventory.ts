import { type PlanName, planNames } from '#conformance/kit/check.ts'

/** A suite with the number of its scenarios, each with every algorithm. */
export interface SuiteEntry {
  readonly name: string
  readonly scenarios: number
}

/** A check of a plan as a list shows it. */
export interface CheckEntry {
  readonly id: string
  readonly title: string
}

let suites: Promise<readonly SuiteEntry[]> | undefined
let checks: Promise<Readonly<Record<PlanName, number>>> | undefined

async function readSuites(): Promise<readonly SuiteEntry[]> {
  const { loadScenarios, selectScenarios } = await import('#scenarios/harness/select-scenarios.ts')
  const counts = new Map<string, number>()
  for (const { id } of selectScenarios(await loadScenarios())) {
    const [name = ''] = id.split('/')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, scenarios]) => ({ name, scenarios }))
}

async function readCheckCounts(): Promise<Readonly<Record<PlanName, number>>> {
  const { loadChecks } = await import('#conformance/kit/load-checks.ts')
  const counts = planNames.map(async (plan) => [plan, (await loadChecks(plan)).length] as const)
  return Object.fromEntries(await Promise.all(counts)) as Record<PlanName, number>
}

/** The checks of a plan in the order of their ids. */
export async function listChecks(plan: PlanName): Promise<readonly CheckEntry[]> {
  const { loadChecks } = await import('#conformance/kit/load-checks.ts')
  return (await loadChecks(plan)).map(({ id, title }) => ({ id, title }))
}

/** The suites in alphabetical order; loaded on demand, because few visits need their modules. */
export function listSuites(): Promise<readonly SuiteEntry[]> {
  suites ??= readSuites()
  return suites
}

/** The number of checks of each plan. */
export function countChecks(): Promise<Readonly<Record<PlanName, number>>> {
  checks ??= readCheckCounts()
  return checks
}

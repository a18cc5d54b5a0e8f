import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { wrongUsage } from '#scenarios/errors.ts'
import { readPattern } from './command-line.ts'
import { type Scenario, type ScenarioAlgorithm, scenarioAlgorithms } from './define-scenario.ts'

/** A scenario with the algorithm it runs with. */
export interface ScenarioRun {
  /** `suite/name/algorithm`, for example `issuance/representative/ES256K`. */
  readonly id: string
  readonly algorithm: ScenarioAlgorithm
  readonly scenario: Scenario
}

export interface SelectScenariosOptions {
  /**
   * Regular expression on `suite/name`, or on `suite/name/algorithm` for one of the two algorithms.
   */
  readonly pattern?: string | undefined
  /** `I/N`: part I of N, from 1. Together the parts contain each scenario once. */
  readonly shard?: string | undefined
}

function readShard(shard: string): { index: number; total: number } {
  const [, index, total] = shard.match(/^(\d{1,4})\/(\d{1,4})$/)?.map(Number) ?? []
  if (index === undefined || total === undefined || index < 1 || index > total) {
    throw wrongUsage(`${shard} is not a valid shard. Use I/N, with 1 <= I <= N.`)
  }
  return { index, total }
}

/**
 * Expands scenarios by algorithm and selects the requested ones, in a stable order.
 * @throws TestbedError `invalid_option`
 */
export function selectScenarios(
  scenarios: readonly Scenario[],
  { pattern = '', shard = '1/1' }: SelectScenariosOptions = {},
): ScenarioRun[] {
  const expression = readPattern(pattern)
  const { index, total } = readShard(shard)
  return scenarios
    .flatMap((scenario) =>
      (scenario.algorithms ?? scenarioAlgorithms).map((algorithm) => ({
        id: `${scenario.id}/${algorithm}`,
        algorithm,
        scenario,
      })),
    )
    .filter(({ id, scenario }) => expression.test(scenario.id) || expression.test(id))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .filter((_, position) => position % total === index - 1)
}

const suitesFolder = join(import.meta.dirname, '..', 'suites')

interface ScenarioModule {
  readonly scenario?: Scenario
  readonly scenarios?: readonly Scenario[]
}

/** Compiled suites are named as in the repository; those of another project by its folders. */
const fileOf = (folder: string, path: string) =>
  folder === suitesFolder
    ? `scenarios/suites/${path}`
    : relative(process.cwd(), join(folder, path)).replaceAll('\\', '/')

/**
 * All scenarios below a folder. `SUITE/NAME.ts` exports `scenario` with the id `SUITE/NAME`, or
 * `scenarios`, several about one theme, with ids that begin with `SUITE/`. No other list exists.
 * @throws TypeError if a file exports no scenario or a scenario of another suite, or if two have
 * the same id
 */
export async function loadScenarios(folder: string = suitesFolder): Promise<Scenario[]> {
  const paths = (await readdir(folder, { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^[^/]+\/[^/]+\.[jt]s$/.test(path) && !path.endsWith('.d.ts'))
    .sort()
  const found = await Promise.all(
    paths.map(async (path) => {
      const module: ScenarioModule = await import(pathToFileURL(join(folder, path)).href)
      const file = fileOf(folder, path)
      return scenariosOf(path, module).map((scenario) => ({ file, ...scenario }))
    }),
  )
  const scenarios = found.flat()
  const [twice] =
    [...Map.groupBy(scenarios, ({ id }) => id)].find(([, same]) => same.length > 1) ?? []
  if (twice !== undefined) throw new TypeError(`Two scenarios have the id ${twice}`)
  return scenarios
}

function scenariosOf(path: string, module: ScenarioModule): readonly Scenario[] {
  const id = path.replace(/\.[jt]s$/, '')
  if (module.scenario?.id === id) return [module.scenario]
  const { scenarios = [] } = module
  if (scenarios.length === 0) {
    throw new TypeError(`${path} must export a scenario with the id ${id}, or several, scenarios`)
  }
  const suite = id.slice(0, id.indexOf('/') + 1)
  const stranger = scenarios.find((each) => !each.id.startsWith(suite))
  if (stranger !== undefined) {
    throw new TypeError(`${path}: the id ${stranger.id} must begin with ${suite}`)
  }
  return scenarios
}

// Approximate costs compared with a scenario that only uses the services: a real browser renders
// pages, and an exclusive scenario blocks all others.
const browserWeight = 14
const exclusiveWeight = 2

/**
 * Distributes scenarios to this many workers, each with its own testbed, so that all have about the
 * same load. Those with a real browser stay together: one browser serves them all. The same
 * scenarios always go to the same worker; workers without any are omitted.
 */
export function partitionRuns(runs: readonly ScenarioRun[], workers: number): ScenarioRun[][] {
  const parts = Array.from({ length: workers }, () => ({ weight: 0, runs: [] as ScenarioRun[] }))
  const [first] = parts
  for (const run of runs) {
    const { usesBrowser = false, exclusive = false } = run.scenario
    const lightest = parts.reduce((one, other) => (other.weight < one.weight ? other : one))
    const part = usesBrowser && first ? first : lightest
    part.runs.push(run)
    part.weight += (usesBrowser ? browserWeight : 1) * (exclusive ? exclusiveWeight : 1)
  }
  return parts.map((part) => part.runs).filter((part) => part.length > 0)
}

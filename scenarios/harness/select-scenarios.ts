import { TestbedError } from '#core/errors/testbed-error.ts'
import { type Scenario, type ScenarioAlgorithm, scenarioAlgorithms } from './define-scenario.ts'
import { readPattern } from './read-pattern.ts'

/** A scenario with the algorithm it runs with. */
export interface ScenarioRun {
  /** `suite/name/algorithm`, for example `issuance/representative/ES256K`. */
  readonly id: string
  readonly algorithm: ScenarioAlgorithm
  readonly scenario: Scenario
}

export interface SelectScenariosOptions {
  /** Regular expression on `suite/name`, or on `suite/name/algorithm` for one of the two. */
  readonly pattern?: string | undefined
  /** `I/N`: the I-th of N parts, from 1. Together the parts are everything, each once. */
  readonly shard?: string | undefined
}

function readShard(shard: string): { index: number; total: number } {
  const [, index, total] = shard.match(/^(\d{1,4})\/(\d{1,4})$/)?.map(Number) ?? []
  if (index === undefined || total === undefined || index < 1 || index > total) {
    const message = `${shard} is no shard: I/N is wanted, with 1 <= I <= N.`
    throw new TestbedError({ code: 'invalid_option', status: 400, message })
  }
  return { index, total }
}

/**
 * Unfolds scenarios by algorithm and picks those asked for, in a stable order.
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

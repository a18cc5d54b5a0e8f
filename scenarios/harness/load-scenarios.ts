import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Scenario } from './define-scenario.ts'

const suitesFolder = join(import.meta.dirname, '..', 'suites')

interface ScenarioModule {
  readonly scenario?: Scenario
  readonly scenarios?: readonly Scenario[]
}

/**
 * All scenarios below a folder. `SUITE/NAME.ts` exports `scenario` with the id `SUITE/NAME`, or a
 * family, `scenarios`, with the ids `SUITE/NAME-CASE`. A new file is all that a new scenario takes.
 * @throws TypeError where a file holds no scenario, or one with another id
 */
export async function loadScenarios(folder: string = suitesFolder): Promise<Scenario[]> {
  const paths = (await readdir(folder, { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^[^/]+\/[^/]+\.[jt]s$/.test(path) && !path.endsWith('.d.ts'))
    .sort()
  const found = await Promise.all(
    paths.map(async (path) => {
      const module: ScenarioModule = await import(pathToFileURL(join(folder, path)).href)
      const file = `scenarios/suites/${path}`
      return scenariosOf(path, module).map((scenario) => ({ file, ...scenario }))
    }),
  )
  return found.flat()
}

function scenariosOf(path: string, { scenario, scenarios }: ScenarioModule): readonly Scenario[] {
  const id = path.replace(/\.[jt]s$/, '')
  if (scenario?.id === id) return [scenario]
  if (scenarios === undefined || scenarios.length === 0) {
    throw new TypeError(`${path} must export a scenario with the id ${id}, or a family, scenarios`)
  }
  const stranger = scenarios.find((each) => !each.id.startsWith(`${id}-`))
  if (stranger !== undefined) {
    throw new TypeError(`${path}: the id ${stranger.id} must begin with ${id}-`)
  }
  if (new Set(scenarios.map((each) => each.id)).size < scenarios.length) {
    throw new TypeError(`${path}: two scenarios have the same id`)
  }
  return scenarios
}

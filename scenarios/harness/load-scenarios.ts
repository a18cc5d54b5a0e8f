import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Scenario } from './define-scenario.ts'

const suitesFolder = join(import.meta.dirname, '..', 'suites')

/**
 * All scenarios below a folder, one a file: `SUITE/NAME.ts` exports `scenario` with the id
 * `SUITE/NAME`. A new file is all that a new scenario takes.
 * @throws TypeError where a file holds no scenario, or one with another id
 */
export async function loadScenarios(folder: string = suitesFolder): Promise<Scenario[]> {
  const paths = (await readdir(folder, { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^[^/]+\/[^/]+\.[jt]s$/.test(path) && !path.endsWith('.d.ts'))
    .sort()
  return Promise.all(
    paths.map(async (path) => {
      const module: { scenario?: Scenario } = await import(pathToFileURL(join(folder, path)).href)
      const id = path.replace(/\.[jt]s$/, '')
      if (module.scenario?.id !== id) {
        throw new TypeError(`${path} must export a scenario with the id ${id}`)
      }
      return module.scenario
    }),
  )
}

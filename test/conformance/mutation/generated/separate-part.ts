import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from '#test/support/repository.ts'
import { createHelpers, helpersName } from './own-operators.ts'

/** Marks the modules of the part under test in their URL. */
const mark = '?part'

/** Folders of the kit, which evaluates the part: their imports have no mutants either. */
const kitFolders = /^(conformance|scenarios|test)\//

/** The service that a module belongs to. */
const serviceFolder = /^services\/(?!kit\/)([^/]+)\//

/** Whether a module belongs to the kit or to a service other than the part's. */
export function isApart(path: string, services: readonly string[]): boolean {
  const [, service] = serviceFolder.exec(path) ?? []
  return kitFolders.test(path) || (service !== undefined && !services.includes(service))
}

/** The state that instrumented code reads and writes, by the names that Stryker defines. */
interface StrykerState {
  activeMutant?: string | undefined
  /** Undefined outside a check. */
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  /** Nothing is counted any more: counting takes a quarter of the time of some rules. */
  isCounted?: boolean
  /** How often each mutant was executed. */
  mutantCoverage: { static: Hits; perTest: Record<string, Hits> }
}

type Hits = Record<string, number>

/** Imports modules of the part under test and switches between its mutants. */
export interface SeparatePart {
  /** Imports a module of the repository and everything below it for the part under test. */
  load(file: string): Promise<object>
  /**
   * Makes a mutant the active one, or none if it is omitted.
   * @param hitLimit the mutated code throws if it is executed more often
   */
  activate(mutant?: string, hitLimit?: number): void
  /** Attributes what runs from now on to a check, or to none. */
  attribute(check?: string): void
  /** Ends the counting of what is executed, except of the active mutant. */
  stopCounting(): void
  /** Whether the active mutant was executed, with values that it can treat differently. */
  isExecuted(): boolean
  /** The ids of the mutants that were executed outside of checks until now. */
  executedOutside(): string[]
  /** How often each check executed each mutant. */
  executedByChecks(): Readonly<Record<string, Hits>>
}

/**
 * Loads the part under test apart from the kit: every module that the part reaches outside the kit
 * has a second instance, from its instrumented source. So a mutant of `core` changes the part and
 * not the kit, although both run in this process. Nor does it change services that only support
 * the part.
 * @param sources JavaScript with mutants, by the path of its source
 * @param services those of the part
 */
export function separatePart(
  sources: Readonly<Record<string, string>>,
  services: readonly string[],
): SeparatePart {
  const state: StrykerState = { mutantCoverage: { static: {}, perTest: {} } }
  const helpers = createHelpers()
  Object.assign(globalThis, { __stryker__: state, [helpersName]: helpers })
  const pathOf = (url: string) => relative(root, fileURLToPath(url)).replaceAll('\\', '/')
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      const { url } = resolved
      const isOfPart = context.parentURL?.endsWith(mark) && /^file:.*\.ts$/.test(url)
      if (!isOfPart || url.includes('/node_modules/') || isApart(pathOf(url), services))
        return resolved
      return { ...resolved, url: `${url}${mark}` }
    },
    load(url, context, nextLoad) {
      if (!url.endsWith(mark)) return nextLoad(url, context)
      const path = pathOf(url)
      const source = sources[path]
      if (source === undefined) return nextLoad(url, context)
      return { format: 'module', source, shortCircuit: true }
    },
  })
  return {
    load: (file) => import(`${pathToFileURL(join(root, file)).href}${mark}`),
    activate(mutant, hitLimit) {
      helpers.reset()
      state.activeMutant = mutant
      state.hitCount = hitLimit === undefined ? undefined : 0
      state.hitLimit = hitLimit
    },
    attribute(check) {
      state.currentTestId = check
    },
    stopCounting() {
      state.isCounted = true
    },
    isExecuted: () => (state.hitCount ?? 0) > 0 && helpers.isEffective(),
    executedOutside: () => Object.keys(state.mutantCoverage.static),
    executedByChecks: () => state.mutantCoverage.perTest,
  }
}

import type { ScenarioResult } from '#scenarios/harness/z-results.ts'

/** A place in a scenario's source. */
export interface SourcePlace {
  /** Relative to the repository. */
  readonly file: string
  /** From 1. */
  readonly line?: number
  readonly column?: number
}

const frame = /(scenarios\/(?:suites|conformance\/plans)\/[\w./-]+\.[jt]s):(\d+):(\d+)\)?\s*$/gm

/**
 * Where in its source a scenario failed, out of the stack: the innermost place in a suite, which is
 * where the scenario called what failed. Without one, the file that it was loaded from.
 */
export function locateFailure({
  suite,
  name,
  file,
  failure,
}: Pick<ScenarioResult, 'suite' | 'name' | 'file' | 'failure'>): SourcePlace {
  for (const [, place = '', line, column] of (failure?.stack ?? '').matchAll(frame)) {
    return { file: place, line: Number(line), column: Number(column) }
  }
  return { file: file ?? `scenarios/suites/${suite}/${name}.ts` }
}

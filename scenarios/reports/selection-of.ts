import type { Results } from '#scenarios/harness/z-results.ts'

/** What a run was asked for, as far as that is not everything. */
export interface Selection {
  readonly pattern?: string
  readonly shard?: string
}

/** The part of all scenarios that a run was asked for: none where a pattern or shard picks all. */
export function selectionOf({ pattern, shard }: Pick<Results, 'pattern' | 'shard'>): Selection {
  return {
    ...(pattern ? { pattern } : {}),
    ...(shard === undefined || shard === '1/1' ? {} : { shard }),
  }
}

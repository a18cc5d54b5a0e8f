import type { Results } from '#scenarios/harness/z-results.ts'

/** Results of the caller's own scenarios, which the program cannot run: how to repeat each. */
export const repeatWith = (results: Results, commandOf: (id: string) => string): Results => ({
  ...results,
  scenarios: results.scenarios.map((each) => ({ ...each, repeat: commandOf(each.id) })),
})

import type { ScenarioResult } from './z-results.ts'

/** Whether a check could not be decided because the kit itself went wrong: no target answers for that. */
export const isKitFault = ({ failure }: Pick<ScenarioResult, 'failure'>): boolean =>
  failure?.code === 'kit_error'

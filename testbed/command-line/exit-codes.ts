import { isTestbedError } from '#core/errors/testbed-error.ts'

/** Exit codes of every command (interfaces, section 2). */
export const exitCodes = {
  passed: 0,
  failed: 1,
  wrongUsage: 2,
  notStarted: 3,
  interrupted: 130,
} as const

const usageErrors: ReadonlySet<string> = new Set([
  'invalid_configuration',
  'invalid_option',
  'invalid_target',
  'seed_mismatch',
  'unfit_faults',
  'unknown_fault',
])

const startErrors: ReadonlySet<string> = new Set(['not_started', 'not_running'])

/** Exit code for an error that ended a command; `otherwise` where it is no fault of usage. */
export function exitCodeOf(error: unknown, otherwise: number): number {
  if (!isTestbedError(error)) return otherwise
  if (startErrors.has(error.code)) return exitCodes.notStarted
  return usageErrors.has(error.code) ? exitCodes.wrongUsage : otherwise
}

import { isTestbedError } from '#core/errors/testbed-error.ts'
import { describeFileError } from '#kit/files.ts'

/** Exit codes of every command (docs/reference/command-line.md). */
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

/** Exit code for an error that ended a command; `otherwise` if it is not a usage error. */
export function exitCodeOf(error: unknown, otherwise: number): number {
  if (!isTestbedError(error)) return otherwise
  if (startErrors.has(error.code)) return exitCodes.notStarted
  return usageErrors.has(error.code) ? exitCodes.wrongUsage : otherwise
}

/**
 * Formats an error for the command line: what happened, then what to do, without a stack. With
 * `details` (for `--verbose`) it includes the causes.
 */
export function describeError(error: unknown, { details = false } = {}): string {
  const lines = [`testbed: ${describeFile(error) ?? messageOf(error)}`]
  if (isTestbedError(error)) for (const hint of error.hints) lines.push(`  ${hint}`)
  if (details) {
    if (isTestbedError(error) && error.detail !== undefined) lines.push(`  ${error.detail}`)
    const cause = error instanceof Error ? (error.cause ?? error) : error
    if (cause instanceof Error) lines.push(String(cause.stack))
  }
  return `${lines.join('\n')}\n`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The path of a file error of the operating system and its reason; undefined for any other error.
 */
function describeFile(error: unknown): string | undefined {
  const { path, syscall } = Object(error) as NodeJS.ErrnoException
  // The error of a write does not name the file.
  const what = path ?? (syscall === 'write' ? 'a file' : undefined)
  const reason = what === undefined || isTestbedError(error) ? undefined : describeFileError(error)
  return reason && `Cannot ${path === undefined ? 'write' : 'use'} ${what}: ${reason}.`
}

/** Ends on the first signal and ignores further ones, because Ctrl-C may arrive twice. */
export function createInterrupt(): AbortSignal {
  const interrupt = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interrupt.abort(new Error('interrupted')))
  }
  return interrupt.signal
}

/**
 * Resolves with the exit code of the first SIGINT (130) or SIGTERM (0); ignores further signals.
 */
export function waitForSignal(): Promise<number> {
  return new Promise((settle) => {
    process.on('SIGINT', () => settle(exitCodes.interrupted))
    process.on('SIGTERM', () => settle(exitCodes.passed))
    process.on('SIGHUP', () => settle(exitCodes.passed))
  })
}

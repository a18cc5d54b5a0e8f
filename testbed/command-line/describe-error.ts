import { isTestbedError } from '#core/errors/testbed-error.ts'
import { describeFileError } from '#kit/files.ts'

/**
 * An error as the command line prints it: what happened, then what to do, never a stack. With
 * `details` (for `--verbose`) what lies behind it too.
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

/** A file that the system refused, by its path; undefined for any other error. */
function describeFile(error: unknown): string | undefined {
  const { path } = Object(error) as NodeJS.ErrnoException
  const reason = path === undefined || isTestbedError(error) ? undefined : describeFileError(error)
  return reason && `Cannot use ${path}: ${reason}.`
}

import { isTestbedError } from '#core/errors/testbed-error.ts'

/** An error as it passes between a process and the one that started it. */
interface Failure {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly detail?: string
  readonly hints: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
}

/**
 * Converts an error to the message that reports it; `otherwise` is the code for errors that are not
 * TestbedErrors.
 */
export function toFailure(thrown: unknown, otherwise: string): Failure {
  if (isTestbedError(thrown)) {
    const { code, status, message, detail, hints, extra } = thrown
    return { code, status, message, hints, extra, ...(detail !== undefined && { detail }) }
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return { code: otherwise, status: 500, message, hints: [], extra: {} }
}

/** A command to a child process, with a number that matches its answer. */
export type Numbered<Command> = Command & { readonly id: number }

/**
 * Messages of a child process: first that it is ready or why not, then one answer per command, and
 * at any time unsolicited messages.
 */
export type ChildReport =
  | { readonly ready: unknown }
  | { readonly failed: Failure }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: Failure }
  | { readonly payload: unknown }

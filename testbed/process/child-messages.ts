import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'

/** An error as it passes between a process and the one that started it. */
interface Failure {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly detail?: string
  readonly hints: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
}

/** The failure that tells of an error; `otherwise` is the code of one that is none of ours. */
export function toFailure(thrown: unknown, otherwise: string): Failure {
  if (isTestbedError(thrown)) {
    const { code, status, message, detail, hints, extra } = thrown
    return { code, status, message, hints, extra, ...(detail !== undefined && { detail }) }
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return { code: otherwise, status: 500, message, hints: [], extra: {} }
}

export function toError(failure: Failure): TestbedError {
  return new TestbedError(failure)
}

/** A command to a child process, numbered so that its answer finds back. */
export type Numbered<Command> = Command & { readonly id: number }

/**
 * What a child process says: once that it is ready or why not, then one answer a command, and at
 * any time what it tells unasked.
 */
export type ChildReport =
  | { readonly ready: unknown }
  | { readonly failed: Failure }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: Failure }
  | { readonly told: unknown }

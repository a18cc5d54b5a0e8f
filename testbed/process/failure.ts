import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'

/** An error as it passes between a process and the one that started it. */
export interface Failure {
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

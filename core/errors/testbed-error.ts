/** What a {@link TestbedError} is made of. Only `code`, `message` and `extra` ever reach a client. */
export interface TestbedErrorOptions {
  /** Stable name of the error, as the protocol in question spells it, for example `invalid_grant`. */
  readonly code: string
  /** HTTP status of the answer; 5xx only for the server's own faults. */
  readonly status: number
  /** What happened and what to do, fit for the client and for people. */
  readonly message: string
  /** For the log alone: what the client must not see. */
  readonly detail?: string
  /** What an operator may check. Printed by the command line and in explanations. */
  readonly hints?: readonly string[]
  /** Further members of the error's wire form, for example `missing`. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Headers of the answer, for example `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * The one error that the testbed's own code throws: a refusal (4xx) or a server's fault (5xx).
 * Each service has one handler that turns it into that service's wire form.
 */
export class TestbedError extends Error {
  override readonly name = 'TestbedError'
  readonly code: string
  readonly status: number
  readonly detail: string | undefined
  readonly hints: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(options: TestbedErrorOptions) {
    super(options.message, { cause: options.cause })
    this.code = options.code
    this.status = options.status
    this.detail = options.detail
    this.hints = options.hints ?? []
    this.extra = options.extra ?? {}
    this.headers = options.headers ?? {}
  }
}

/** Says whether a caught value is the testbed's own error, with a code to go by. */
export function isTestbedError(value: unknown): value is TestbedError {
  return value instanceof TestbedError
}

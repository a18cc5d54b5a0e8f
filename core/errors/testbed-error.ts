/** The parts of a {@link TestbedError}. Only `code`, `message` and `extra` reach a client. */
export interface TestbedErrorOptions {
  /** Stable name of the error, as the protocol in question spells it, for example `invalid_grant`. */
  readonly code: string
  /** HTTP status of the response; 5xx only for errors of the server itself. */
  readonly status: number
  /** What happened and what to do, for the client and for display. */
  readonly message: string
  /** Only for the log: details that the client must not see. */
  readonly detail?: string
  /** What an operator can check. The command line and explanations print it. */
  readonly hints?: readonly string[]
  /** Further members of the error's wire form, for example `missing`. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Headers of the response, for example `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * The only error class that the testbed's own code throws: a rejection (4xx) or a server error
 * (5xx). Each service has one handler that converts it to that service's wire form.
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

/** True if a caught value is an error of the testbed, with a code. */
export function isTestbedError(value: unknown): value is TestbedError {
  return value instanceof TestbedError
}

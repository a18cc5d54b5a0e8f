import { TestbedError } from '#core/errors/testbed-error.ts'

/** The error of every query while the database cannot do its work; what lies behind goes to the log. */
export function databaseUnavailable(detail: string, cause?: unknown): TestbedError {
  return new TestbedError({
    code: 'database_unavailable',
    status: 503,
    message: 'The service cannot reach its database. Try again later.',
    detail,
    cause,
  })
}

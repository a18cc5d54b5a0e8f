import { TestbedError } from '#core/errors/testbed-error.ts'

/** Unknown and malformed ids get the same response. */
export function unknownSession(): TestbedError {
  return new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'Unknown verification session.',
  })
}

export function requestExpired(): TestbedError {
  return new TestbedError({
    code: 'request_expired',
    status: 410,
    message:
      'This request has expired, was already answered, or its login was cancelled. Get a new QR code.',
  })
}

export function statusUnavailable(detail: string): TestbedError {
  return new TestbedError({
    code: 'status_unavailable',
    status: 503,
    message: 'The status of the credential cannot be determined. Try again later.',
    detail,
  })
}

import type { Request } from 'express'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { secretsEqual } from '#kit/secrets.ts'
import { csrfTokenOf } from './csrf-token-of.ts'
import { fieldsOf } from './fields-of.ts'

/**
 * Refuses a form that does not bring what only a page of this very session holds.
 *
 * @param cookie value of the session's cookie
 * @throws TestbedError `invalid_csrf_token` (403)
 */
export function checkCsrfToken(request: Request, cookie: string | undefined): void {
  const given = fieldsOf(request).csrf_token ?? ''
  // Compared in any case, so that the time tells nothing.
  const isRight = secretsEqual(given, csrfTokenOf(cookie ?? ''))
  if (isRight && cookie !== undefined) return
  throw new TestbedError({
    code: 'invalid_csrf_token',
    status: 403,
    message: 'This page is out of date. Load it again, then send the form once more.',
  })
}

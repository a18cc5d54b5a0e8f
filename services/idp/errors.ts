import { TestbedError } from '#core/errors/testbed-error.ts'

const notFound = (message: string) => new TestbedError({ code: 'not_found', status: 404, message })

/** Unknown and malformed session codes get the same answer. */
export const unknownSession = () => notFound('There is no verification session with this code.')

/** A verdict on a session that no login waits for. */
export const unknownVerifierSession = () =>
  notFound('No login waits for this verification session.')

export const unknownAsset = () => notFound('There is no such file.')

/** In the admin panel. */
export const unknownClient = () => notFound('There is no such client.')
export const unknownScope = () => notFound('There is no such scope.')
export const unknownLogin = () => notFound('There is no such session, or it is no longer kept.')

/** RFC 6750, 3.1: without authentication the answer names no error. */
export const missingToken = () =>
  new TestbedError({
    code: 'invalid_request',
    status: 401,
    message: 'Send an access token as Authorization: Bearer.',
    headers: { 'www-authenticate': 'Bearer' },
  })

/** The answer to every token that is not good, whatever is wrong with it (RFC 6750, section 3.1). */
export const invalidToken = (cause?: unknown) =>
  new TestbedError({
    code: 'invalid_token',
    status: 401,
    message: 'The access token is not valid, has expired or was revoked.',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    cause,
  })

export const insufficientScope = () =>
  new TestbedError({
    code: 'insufficient_scope',
    status: 403,
    message: 'The access token lacks the scope openid.',
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' },
  })

export const verifierUnavailable = (detail: string, cause?: unknown) =>
  new TestbedError({
    code: 'verifier_unavailable',
    status: 503,
    message: 'The verification service is not available. Try again later.',
    detail,
    cause,
  })

/** A form of the admin panel without the token that its page holds. */
export const invalidCsrfToken = () =>
  new TestbedError({
    code: 'invalid_csrf_token',
    status: 403,
    message: 'This page is out of date. Load it again, then send the form once more.',
  })

/** A form of the admin panel that a page of another origin sent. */
export const foreignOrigin = (baseUrl: string) =>
  new TestbedError({
    code: 'foreign_origin',
    status: 403,
    message: `This form has to be sent from the panel itself. Open ${baseUrl}/admin/`,
  })

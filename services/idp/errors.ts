import { TestbedError } from '#core/errors/testbed-error.ts'
import { invalidRequest } from '#kit/errors.ts'

const notFound = (message: string) => new TestbedError({ code: 'not_found', status: 404, message })

export const missingSession = () => invalidRequest('The parameter session is missing.')

/** Unknown and malformed session codes get the same response. */
export const unknownSession = () => notFound('No verification session with this code.')

/** A verdict on a session that is not part of a login. */
export const unknownVerifierSession = () => notFound('No login uses this verification session.')

export const unknownAsset = () => notFound('Unknown file.')

/** In the admin panel. */
export const unknownClient = () => notFound('Unknown client.')
export const unknownScope = () => notFound('Unknown scope.')
export const unknownLogin = () => notFound('This session does not exist or has been deleted.')

/** RFC 6750, 3.1: without authentication, the response has no error code. */
export const missingToken = () =>
  new TestbedError({
    code: 'invalid_request',
    status: 401,
    message: 'Send an access token as Authorization: Bearer.',
    headers: { 'www-authenticate': 'Bearer' },
  })

/** The response to every invalid token, regardless of the reason (RFC 6750, section 3.1). */
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
    message: 'The access token does not have the scope openid.',
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

/** One-time links to the admin panel work on the machine of the IDP only. */
export const notLoopback = () =>
  new TestbedError({
    code: 'not_loopback',
    status: 403,
    message:
      'One-time links to the admin panel work only on the machine on which the IDP runs. Log in with user name and password.',
  })

export const usedLink = () =>
  new TestbedError({
    code: 'used_link',
    status: 401,
    message: 'This link was used or has expired. Request another one.',
  })

export const noAdministrator = () =>
  new TestbedError({
    code: 'no_administrator',
    status: 409,
    message: 'The IDP has no administrator. Configure ADMIN, and start it again.',
  })

/** A form of the admin panel without its page's token. */
export const invalidCsrfToken = () =>
  new TestbedError({
    code: 'invalid_csrf_token',
    status: 403,
    message: 'This page is out of date. Reload it and send the form again.',
  })

/** A form of the admin panel that was sent by a page of another origin. */
export const foreignOrigin = (baseUrl: string) =>
  new TestbedError({
    code: 'foreign_origin',
    status: 403,
    message: `This form must be sent from the panel itself. Open ${baseUrl}/admin/`,
  })

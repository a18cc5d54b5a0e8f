import { TestbedError } from '#core/errors/testbed-error.ts'

/**
 * Reads the acceptance token out of the body (Document 1, POST /deferred_credential). Throws a
 * TestbedError `invalid_request` where it holds none.
 */
export function parseDeferredCredentialRequest(body: unknown): string {
  const token =
    typeof body === 'object' && body !== null && 'acceptance_token' in body
      ? body.acceptance_token
      : undefined
  if (typeof token === 'string' && token !== '') return token
  throw new TestbedError({
    code: 'invalid_request',
    status: 400,
    message: 'acceptance_token is missing.',
  })
}

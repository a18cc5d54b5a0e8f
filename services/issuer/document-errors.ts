import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { RouteResponse } from '#kit/define-route.ts'
import { issuerErrorBody } from './errors.ts'

/** The issuer's wire form of an error. */
export const zIssuerError = z.object({
  error: z.string().describe('The text of the status'),
  detail: z.string().describe('What is wrong'),
  error_description: z.string().optional().describe('The same; a refused Bearer token has none'),
  missing: z.array(z.string()).optional().describe('Members or claims that are missing or invalid'),
})

const refusedToken = new TestbedError({
  code: 'invalid_token',
  status: 401,
  message: 'invalid token',
})
const refusedKey = new TestbedError({
  code: 'invalid_api_key',
  status: 401,
  message: 'The API key is not valid.',
})

/** How a route answers these errors and a refused Bearer token, for its documentation. */
export const documentBearerErrors = (...errors: readonly TestbedError[]) =>
  documentErrors([refusedToken, ...errors])

/** How a route answers these errors and a refused API key, for its documentation. */
export const documentKeyErrors = (...errors: readonly TestbedError[]) =>
  documentErrors([refusedKey, ...errors])

function documentErrors(errors: readonly TestbedError[]): Record<number, RouteResponse> {
  const documented: Record<number, RouteResponse> = {}
  for (const error of errors) {
    const before = documented[error.status]
    documented[error.status] = before
      ? { ...before, description: `${before.description}; or: ${error.message}` }
      : { description: error.message, body: zIssuerError, example: issuerErrorBody(error) }
  }
  return documented
}

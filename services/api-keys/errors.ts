import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ErrorCatalogue } from '#kit/open-api.ts'

/** The error codes of this service, each with its status and an example message. */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    message: 'The request does not have the documented shape. scope: Required',
  },
  invalid_api_key: { status: 401, message: 'The header x-api-key is missing.' },
  not_found: { status: 404, message: 'Unknown key.' },
  payload_too_large: { status: 413, message: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
} satisfies ErrorCatalogue

/** The errors of every endpoint with a request body. */
export const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type']

export function keyNotFound(): TestbedError {
  return new TestbedError({ code: 'not_found', ...errorCatalogue.not_found })
}

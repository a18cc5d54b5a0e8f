import { TestbedError } from '#core/errors/testbed-error.ts'

/** Unknown and malformed ids get the same answer. */
export function unknownSession(): TestbedError {
  return new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'There is no such verification session.',
  })
}

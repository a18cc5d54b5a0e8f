import { TestbedError } from '#core/errors/testbed-error.ts'

export function organizationNotFound(): TestbedError {
  return new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'This organization is not known here.',
  })
}

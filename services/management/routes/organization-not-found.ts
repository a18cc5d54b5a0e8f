import { TestbedError } from '#core/errors/testbed-error.ts'
import { managementErrorCatalogue } from '../errors.ts'

export function organizationNotFound(): TestbedError {
  return new TestbedError({ code: 'not_found', ...managementErrorCatalogue.not_found })
}

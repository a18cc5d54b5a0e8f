import { TestbedError } from '#core/errors/testbed-error.ts'

export function mailNotFound(): TestbedError {
  const message = 'There is no mail of this ID.'
  return new TestbedError({ code: 'not_found', status: 404, message })
}

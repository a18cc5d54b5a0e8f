import { TestbedError } from '#core/errors/testbed-error.ts'

export function mailNotFound(): TestbedError {
  const message = 'No email has this ID.'
  return new TestbedError({ code: 'not_found', status: 404, message })
}

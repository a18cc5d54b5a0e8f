import { TestbedError } from '#core/errors/testbed-error.ts'

/** What a command was given can't be meant so: exit code 2. */
export function wrongUsage(message: string, hints: readonly string[] = []): TestbedError {
  return new TestbedError({ code: 'invalid_option', status: 400, message, hints })
}

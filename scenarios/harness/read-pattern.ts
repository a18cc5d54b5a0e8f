import { TestbedError } from '#core/errors/testbed-error.ts'

/**
 * A regular expression that somebody gave.
 * @throws TestbedError `invalid_option` where it is none
 */
export function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch (cause) {
    const message = `${pattern} is no regular expression: ${(cause as Error).message}`
    throw new TestbedError({ code: 'invalid_option', status: 400, message, cause })
  }
}

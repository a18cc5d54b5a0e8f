import { TestbedError } from '#core/errors/testbed-error.ts'
import { didYouMean } from '#core/text/find-nearest.ts'

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

/** What a pattern that fits nothing was meant to be, as hints; the names are also taken by parts. */
export function suggestNames(pattern: string, names: readonly string[]): string[] {
  const wanted = pattern.replace(/\.[*+]|[\\^$.|?*+()[\]{}]/g, '')
  const known = wanted.includes('/') ? names : names.flatMap((name) => [name, ...name.split('/')])
  return didYouMean(wanted, known)
}

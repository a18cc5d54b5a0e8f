import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand, readPattern, suggestNames } from '#scenarios/harness/command-line.ts'

/**
 * The checks whose id or name a regular expression fits; all of them without one.
 * @throws TestbedError `invalid_option` where it is none, or where nothing fits
 */
export function selectChecks<Check extends { readonly id: string; readonly name: string }>(
  checks: readonly Check[],
  pattern = '',
): Check[] {
  const expression = readPattern(pattern)
  const selected = checks.filter(({ id, name }) => expression.test(id) || expression.test(name))
  if (selected.length > 0) return selected
  throw new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: `No check fits ${pattern}.`,
    hints: [
      ...suggestNames(
        pattern,
        checks.flatMap(({ id, name }) => [id, name]),
      ),
      `${programCommand} conformance PLAN --list shows what there is.`,
    ],
  })
}

import { z } from 'zod'
import { listIssues, plainIssues } from '#core/json/plain-issues.ts'
import type { Scenario } from '#scenarios/harness/define-scenario.ts'

export const zScenario = z.custom<Scenario>(
  (value) => typeof Object(value).id === 'string' && typeof Object(value).run === 'function',
  'must be created by defineScenario',
)

/**
 * Checks the options of a function of the library at run time: JavaScript has no types.
 * @throws TestbedError `invalid_option`
 */
export async function checkOptions(schema: z.ZodType, given: unknown, of: string): Promise<void> {
  const { error } = schema.safeParse(given, plainIssues)
  if (!error) return
  const { unfitOptions } = await import('#testbed/errors.ts')
  const type = `${of.charAt(0).toUpperCase()}${of.slice(1)}Options`
  throw unfitOptions(
    `The options of ${of} are invalid: ${listIssues(error)}.`,
    `The type ${type} describes them.`,
  )
}

import type { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'

/**
 * Environment variable of a configuration key: `chainRpcUrl` is read from `CHAIN_RPC_URL`.
 */
export function environmentVariableOf(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

/** A variable holds text; structured values (lists, objects, numbers, booleans) are given as JSON. */
function readVariable(text: string): unknown {
  if (!/^(\[|\{|-?\d+$|true$|false$)/.test(text.trim())) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Reads a service's configuration from environment variables.
 * @throws TestbedError `invalid_configuration` that names every problem at once
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<z.infer<Schema>> {
  const given: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(schema.shape)) {
    const text = environment[environmentVariableOf(key)]
    if (text === undefined || text === '') continue
    const asText = (member as z.ZodType).safeParse(text)
    given[key] = asText.success ? text : readVariable(text)
  }
  const result = schema.safeParse(given)
  if (result.success) return Object.freeze(result.data)
  const problems = result.error.issues.map(
    ({ path, message }) => `${environmentVariableOf(String(path[0] ?? ''))}: ${message}`,
  )
  throw new TestbedError({
    code: 'invalid_configuration',
    status: 500,
    message: `The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`,
    hints: problems,
  })
}

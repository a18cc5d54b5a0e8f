import type { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { type ConfigurationFile, readJsonFile } from './read-configuration-file.ts'

/**
 * Environment variable of a configuration key: `chainRpcUrl` is read from `CHAIN_RPC_URL`.
 */
export function environmentVariableOf(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

/**
 * What a variable stands for: its text where the setting takes one; structured values (lists,
 * objects, numbers, booleans) are given as JSON.
 */
export function readVariable(member: z.ZodType, text: string): unknown {
  if (member.safeParse(text).success) return text
  if (!/^(\[|\{|-?\d+$|true$|false$)/.test(text.trim())) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Reads a service's configuration from environment variables. What is too long for a variable
 * stands in a JSON file instead, named by the variable with `_FILE` after it:
 * `CREDENTIAL_TYPES_FILE=types.json` in place of `CREDENTIAL_TYPES=[…]`.
 * @throws TestbedError `invalid_configuration` that names every problem at once, those of a file by
 * line and key
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<z.infer<Schema>> {
  const given: Record<string, unknown> = {}
  const files = new Map<PropertyKey, ConfigurationFile>()
  const problems: string[] = []
  for (const [key, member] of Object.entries(schema.shape)) {
    const variable = environmentVariableOf(key)
    const text = environment[variable]
    const path = environment[`${variable}_FILE`]
    if (path !== undefined && path !== '') {
      if (text !== undefined && text !== '') {
        problems.push(`${variable} and ${variable}_FILE are both given; leave one out`)
      }
      const file = readJsonFile(path)
      files.set(key, file)
      given[key] = file.value
    } else if (text !== undefined && text !== '') {
      given[key] = readVariable(member as z.ZodType, text)
    }
  }
  const result = schema.safeParse(given)
  if (result.success && problems.length === 0) return Object.freeze(result.data)
  for (const issue of result.error?.issues ?? []) {
    const [key = '', ...path] = issue.path
    const file = files.get(key)
    problems.push(
      file?.describe({ ...issue, path }) ??
        `${environmentVariableOf(String(key))}: ${issue.message}`,
    )
  }
  throw new TestbedError({
    code: 'invalid_configuration',
    status: 500,
    message: `The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`,
  })
}

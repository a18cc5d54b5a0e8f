import type { z } from 'zod'
import type { TirDependencies } from '../dependencies.ts'
import { rpcError } from '../errors.ts'

/** A JSON-RPC method: takes `params`, gives `result`, throws what {@link rpcError} makes. */
export type RpcMethod = (params: unknown, dependencies: TirDependencies) => Promise<unknown>

/**
 * Reads `params`, an array that holds one object (Document 2, TIR).
 * @throws TestbedError `invalid_params`
 */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  if (!Array.isArray(params) || params.length !== 1) {
    throw rpcError(
      'invalid_params',
      'Invalid params: params must be an array that holds one object.',
    )
  }
  const result = schema.safeParse(params[0], { reportInput: true })
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, 8).map(({ path, message, input }) => {
    const name = path.join('.') || 'params[0]'
    return input === undefined ? `${name} is required` : `${name}: ${message}`
  })
  throw rpcError('invalid_params', `Invalid params: ${problems.join('; ')}.`)
}

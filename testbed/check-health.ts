import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Address } from './list-addresses.ts'

const limitMilliseconds = 5000

/** What is wrong with a service by its own word, or undefined where it is well. */
export async function findIllness(healthUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(healthUrl, {
      signal: AbortSignal.timeout(limitMilliseconds),
      redirect: 'manual',
    })
    await response.body?.cancel()
    return response.ok ? undefined : `HTTP ${response.status}`
  } catch (thrown) {
    const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/**
 * Asks every service whether it is well. `reach` turns a public address into one that this machine
 * itself can reach.
 * @throws TestbedError `not_healthy` that names those that are not
 */
export async function checkHealth(
  addresses: readonly Address[],
  reach: (url: string) => string,
): Promise<void> {
  const problems = await Promise.all(
    addresses.map(async ({ group, name, healthUrl }) => {
      const illness = healthUrl === undefined ? undefined : await findIllness(reach(healthUrl))
      return illness === undefined ? undefined : `${group} ${name} (${illness})`
    }),
  )
  const ill = problems.filter((problem) => problem !== undefined)
  if (ill.length === 0) return
  throw new TestbedError({
    code: 'not_healthy',
    status: 500,
    message: `Not healthy after the start: ${ill.join(', ')}.`,
    hints: ['Set LOG_LEVEL=debug and start again to see why.'],
  })
}

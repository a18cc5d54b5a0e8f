import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Address } from './list-addresses.ts'

const limitMilliseconds = 5000

const zHealth = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })

/** What a service reports about itself; nothing if all is well. */
export interface ReportedHealth {
  /** The service does not work. */
  readonly problem?: string
  /** It works, but something that it depends on is away. */
  readonly degraded?: string
}

/** Asks a service for its health. */
export async function readHealth(healthUrl: string): Promise<ReportedHealth> {
  try {
    const response = await fetch(healthUrl, {
      signal: AbortSignal.timeout(limitMilliseconds),
      redirect: 'manual',
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { problem: `HTTP ${response.status}` }
    }
    const health = zHealth.safeParse(await response.json().catch(() => undefined))
    const away = Object.entries(health.data?.dependencies ?? {})
      .filter(([, state]) => state !== 'connected')
      .map(([name, state]) => `${name} ${state}`)
    return away.length === 0 ? {} : { degraded: away.join(', ') }
  } catch (thrown) {
    const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

/**
 * Asks every service whether it and all that it depends on are well. `reach` turns a public address into one that this machine
 * itself can reach.
 * @throws TestbedError `not_healthy` that names those that are not
 */
export async function checkHealth(
  addresses: readonly Address[],
  reach: (url: string) => string,
): Promise<void> {
  const problems = await Promise.all(
    addresses.map(async ({ group, name, healthUrl }) => {
      if (healthUrl === undefined) return undefined
      const { problem, degraded = problem } = await readHealth(reach(healthUrl))
      return degraded === undefined ? undefined : `${group} ${name} (${degraded})`
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

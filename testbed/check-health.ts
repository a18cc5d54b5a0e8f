import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Address } from './list-addresses.ts'

const limitMilliseconds = 5000
const retryMilliseconds = 250

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
 * Waits until every service and all that it depends on are healthy, for 30 s at most. `reach` turns a
 * public address into one that this machine itself can reach.
 * @throws TestbedError `not_healthy` that names those that are not
 */
export async function checkHealth(
  addresses: readonly Address[],
  reach: (url: string) => string,
  waitMilliseconds = 30_000,
): Promise<void> {
  const began = performance.now()
  const findProblem = async ({ group, name, healthUrl }: Address): Promise<string | undefined> => {
    if (healthUrl === undefined) return undefined
    for (;;) {
      const { problem, degraded: illness = problem } = await readHealth(reach(healthUrl))
      if (illness === undefined) return undefined
      if (performance.now() - began >= waitMilliseconds) return `${group} ${name} (${illness})`
      await new Promise((resolve) => setTimeout(resolve, retryMilliseconds))
    }
  }
  const problems = await Promise.all(addresses.map(findProblem))
  const ill = problems.filter((problem) => problem !== undefined)
  if (ill.length === 0) return
  throw new TestbedError({
    code: 'not_healthy',
    status: 500,
    message: `Not healthy after the start: ${ill.join(', ')}.`,
    hints: ['Set LOG_LEVEL=debug and start again to see why.'],
  })
}

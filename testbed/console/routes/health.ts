import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { readHealth } from '#testbed/check-health.ts'
import type { ConsoleDependencies } from '../dependencies.ts'

/** Health of every service, as it is now. */
export const readConsoleHealth = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/control/health',
  summary: 'Health of every service',
  auth: 'control',
  responses: {
    200: {
      description:
        'By address; `problem` if a service does not work, `degraded` if something that it depends on is away',
      body: z.object({
        services: z.array(
          z.object({
            url: z.string(),
            problem: z.string().optional(),
            degraded: z.string().optional(),
          }),
        ),
      }),
    },
  },
  async handle(_input, { addresses }) {
    const services = await Promise.all(
      addresses.flatMap(({ url, healthUrl }) =>
        healthUrl === undefined
          ? []
          : [readHealth(healthUrl).then((health) => ({ url, ...health }))],
      ),
    )
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { services } }
  },
})

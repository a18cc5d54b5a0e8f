import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { findIllness } from '#testbed/check-health.ts'
import type { ConsoleDependencies } from '../dependencies.ts'

/** Health of every service, as it is now. */
export const readConsoleHealth = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/control/health',
  summary: 'Health of every service',
  auth: 'control',
  responses: {
    200: {
      description: 'By address; `problem` where a service is not well',
      body: z.object({
        services: z.array(z.object({ url: z.string(), problem: z.string().optional() })),
      }),
    },
  },
  async handle(_input, { addresses }) {
    const services = await Promise.all(
      addresses.flatMap(({ url, healthUrl }) =>
        healthUrl === undefined
          ? []
          : [findIllness(healthUrl).then((problem) => (problem ? { url, problem } : { url }))],
      ),
    )
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { services } }
  },
})

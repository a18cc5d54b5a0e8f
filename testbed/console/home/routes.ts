import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { readHealth } from '#testbed/services/addresses.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { homePage } from './page.ts'

const shownHops = 100

const showHome = definePage({
  path: '/',
  room: 'home',
  summary: 'The console',
  render({ frame }, { addresses, traces }) {
    return homePage(frame, { addresses, hops: traces.since(0).slice(-shownHops).reverse() })
  },
})

/** Current health of every service. */
const readConsoleHealth = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/control/health',
  summary: 'Health of every service',
  auth: 'control',
  responses: {
    200: {
      description:
        'By address; `problem` if a service does not work, `degraded` if a dependency is unavailable',
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

export const homeRoutes: readonly AnyRoute<ConsoleDependencies>[] = [showHome, readConsoleHealth]

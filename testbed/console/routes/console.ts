import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { consoleCookie } from '#testbed/control/authentication.ts'
import { readHealth } from '#testbed/services/addresses.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { hasSession } from '../dependencies.ts'
import { callbackPage, consolePage } from '../pages/console.ts'
import { closedPage } from '../pages/page.ts'

const shownHops = 100

/** The console for browsers with its cookie; for other browsers, how to get it. */
export const showConsole = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/',
  summary: 'The console',
  auth: 'none',
  documented: false,
  responses: { 200: { description: 'The page' }, 401: { description: 'How to open it' } },
  handle({ request }, dependencies) {
    const { sessions, environments, addresses, traces, clock, documentationPath } = dependencies
    if (!hasSession(request, { sessions })) return closedPage()
    const hops = traces.since(0).slice(-shownHops).reverse()
    return consolePage({
      environments: [...environments.keys()],
      addresses,
      hops,
      now: clock.seconds(),
      offset: clock.offset,
      documentationPath,
    })
  },
})

/** Target of a one-time link: sets the session's cookie, then redirects to the console. */
export const openConsole = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/open',
  summary: 'Open the console with a one-time link',
  auth: 'none',
  documented: false,
  request: { query: z.object({ code: z.string().max(128).default('') }) },
  responses: {
    303: { description: 'To the console' },
    401: { description: 'The link was already used' },
  },
  handle({ query }, { sessions }) {
    const session = sessions.redeem(query.code)
    if (session === undefined) return closedPage('This link has already been used.')
    const cookie = `${consoleCookie}=${session}; HttpOnly; SameSite=Strict; Path=/`
    return { status: 303, headers: { 'set-cookie': cookie, location: '/' } }
  },
})

function asset(file: string, contentType: string) {
  const body = readFileSync(resolve(import.meta.dirname, '../assets', file), 'utf8')
  return defineRoute<ConsoleDependencies>()({
    method: 'get',
    path: `/assets/${file}`,
    summary: file,
    auth: 'none',
    documented: false,
    responses: { 200: { description: file, contentType } },
    handle: () => ({ status: 200, body, contentType: `${contentType}; charset=utf-8` }),
  })
}

export const showStyle = asset('console.css', 'text/css')
export const showScript = asset('console.js', 'text/javascript')

/**
 * Where a browser ends after a login at the example relying party or portal: shows what was
 * returned. Tests and example programs intercept the browser before this page.
 */
export const showCallback = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/callback/:env/:client',
  summary: 'Redirect address of the example clients',
  auth: 'none',
  documented: false,
  request: {
    query: z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      error: z.string().optional(),
      error_description: z.string().optional(),
    }),
  },
  responses: { 200: { description: 'What the provider returned' } },
  handle: ({ query }) => callbackPage(query),
})

/** Current health of every service. */
export const readConsoleHealth = defineRoute<ConsoleDependencies>()({
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

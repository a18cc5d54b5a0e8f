import { z } from 'zod'
import { html } from '#core/html/html.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { page } from '#kit/page.ts'
import type { ConsoleDependencies } from '../dependencies.ts'

/**
 * Where a browser ends after a login at the example relying party or portal: shows what was
 * returned. Tests and example programs intercept the browser before this page.
 */
const showCallback = defineRoute<ConsoleDependencies>()({
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
  handle({ query }) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const succeeded = query.code !== undefined
    return page({
      title: 'Login result',
      stylesheet: '/assets/console.css',
      body: html`<main class="closed">
<h1>${succeeded ? 'The login succeeded' : 'The login returned no code'}</h1>
<p>${succeeded && 'A relying party would now exchange this code for tokens.'}</p>
<dl>${given.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>
</main>`,
    })
  },
})

export const relyingPartyRoutes: readonly AnyRoute<ConsoleDependencies>[] = [showCallback]

import { html } from '#core/html/html.ts'
import type { AdminSession } from './admin-session.ts'
import { defineAdminPage } from './define-admin-route.ts'
import { readScopes } from './mappers.ts'
import { panelPage, timeOf } from './panel-page.ts'

/**
 * The admin panel's first page (profile/idp, Endpoints).
 *
 * @row 1.endpoints/credential-idp.9
 */
export const showOverview = defineAdminPage({
  path: '/admin/',
  summary: 'Admin panel: clients, scope mappers, sessions, signing keys (administrator’s login)',
  documented: true,
  async handle({ session }, dependencies) {
    const { clients, logins, providers } = dependencies
    const [key] = await providers.publishedKeys()
    return overviewPage({
      session,
      clients: (await clients.list()).length,
      scopes: [...(await readScopes(dependencies)).keys()],
      sessions: await logins.count(),
      key: key && { kid: key.jwk.kid, createdAt: key.createdAt },
    })
  },
})

export interface OverviewOptions {
  readonly session: AdminSession
  readonly clients: number
  readonly scopes: readonly string[]
  readonly sessions: Readonly<Record<'PENDING' | 'SUCCESS' | 'FAILED', number>>
  readonly key: { readonly kid: string; readonly createdAt: number } | undefined
}

/** Figures of each section, with links. */
function overviewPage({ session, clients, scopes, sessions, key }: OverviewOptions) {
  return panelPage({
    title: 'Overview',
    session,
    section: 'overview',
    body: html`<ul class="list tiles">
<li class="card"><h2><a href="/admin/clients">Clients</a></h2><p class="figure">${clients}</p>
<p class="soft">applications that users log in to</p></li>
<li class="card"><h2><a href="/admin/mappers">Claims</a></h2><p class="figure">${scopes.length}</p>
<p class="soft">scopes: ${scopes.join(', ')}</p></li>
<li class="card"><h2><a href="/admin/sessions">Sessions</a></h2><p class="figure">${sessions.SUCCESS + sessions.FAILED + sessions.PENDING}</p>
<p class="soft">${sessions.SUCCESS} succeeded, ${sessions.FAILED} failed, ${sessions.PENDING} pending</p></li>
<li class="card"><h2><a href="/admin/keys">Signing keys</a></h2>
<p class="code">${key?.kid}</p><p class="soft">${key && html`signs since ${timeOf(key.createdAt)}`}</p></li>
</ul>`,
  })
}

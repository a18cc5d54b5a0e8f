import { html } from '#core/html/html.ts'
import { changePassword, showAccount } from './account.ts'
import type { AdminSession } from './admin-session.ts'
import {
  createClient,
  deleteClient,
  rotateClientSecret,
  showClient,
  showClients,
  showNewClient,
  updateClient,
} from './clients.ts'
import { defineAdminPage } from './define-admin-route.ts'
import { rotateKey, showKeys } from './keys.ts'
import { showAdminLogin, submitAdminLogin, submitAdminLogout } from './login.ts'
import {
  previewScopeMappers,
  readScopes,
  saveScopeMappers,
  showMappers,
  showScopeMappers,
} from './mappers.ts'
import { panelPage, timeOf } from './panel-page.ts'
import { showSession, showSessions } from './sessions.ts'
import { panelTexts } from './texts.ts'

/**
 * The admin panel's first page (profile/idp, Endpoints).
 *
 * @row 1.endpoints/credential-idp.9
 */
const showOverview = defineAdminPage({
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

interface OverviewOptions {
  readonly session: AdminSession
  readonly clients: number
  readonly scopes: readonly string[]
  readonly sessions: Readonly<Record<'PENDING' | 'SUCCESS' | 'FAILED', number>>
  readonly key: { readonly kid: string; readonly createdAt: number } | undefined
}

/** Figures of each section, with links. */
function overviewPage({ session, clients, scopes, sessions, key }: OverviewOptions) {
  const { overview: texts, sections } = panelTexts[session.language]
  return panelPage({
    title: sections.overview,
    session,
    section: 'overview',
    body: html`<ul class="list tiles">
<li class="card"><h2><a href="/admin/clients">${sections.clients}</a></h2><p class="figure">${clients}</p>
<p class="soft">${texts.clients}</p></li>
<li class="card"><h2><a href="/admin/mappers">${sections.mappers}</a></h2><p class="figure">${scopes.length}</p>
<p class="soft">${texts.scopes}: ${scopes.join(', ')}</p></li>
<li class="card"><h2><a href="/admin/sessions">${sections.sessions}</a></h2><p class="figure">${sessions.SUCCESS + sessions.FAILED + sessions.PENDING}</p>
<p class="soft">${texts.sessions(sessions.SUCCESS, sessions.FAILED, sessions.PENDING)}</p></li>
<li class="card"><h2><a href="/admin/keys">${sections.keys}</a></h2>
<p class="code">${key?.kid}</p><p class="soft">${key && html`${texts.signsSince} ${timeOf(key.createdAt)}`}</p></li>
</ul>`,
  })
}

/** Every endpoint of the admin panel. */
export const adminRoutes = [
  showOverview,
  showAdminLogin,
  submitAdminLogin,
  submitAdminLogout,
  showClients,
  createClient,
  showNewClient,
  showClient,
  updateClient,
  rotateClientSecret,
  deleteClient,
  showMappers,
  showScopeMappers,
  saveScopeMappers,
  previewScopeMappers,
  showSessions,
  showSession,
  showKeys,
  rotateKey,
  showAccount,
  changePassword,
]

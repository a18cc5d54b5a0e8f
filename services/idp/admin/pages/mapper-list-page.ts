import { html } from '#core/html/html.ts'
import { previewMappers } from '../../domain/mappers.ts'
import { sampleCredential } from '../domain/sample-credential.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { panelPage } from './panel-page.ts'

/** The scopes, with the claims that each one gives. */
export function mapperListPage(session: AdminSession, scopes: ReadonlyMap<string, string>) {
  const entries = [...scopes].map(([scope, text]) => {
    const { claims } = previewMappers(text, sampleCredential)
    return html`<li class="card">
<h2><a href="/admin/mappers/${encodeURIComponent(scope)}">${scope}</a></h2>
<p class="code">${claims.length === 0 ? 'no claims' : claims.map(({ claim }) => claim).join(', ')}</p>
</li>`
  })
  return panelPage({
    title: 'Claims by scope',
    session,
    section: 'mappers',
    body: html`<p>What a client learns about who has logged in, by the scope that it asks for.</p>
<ul class="list">${entries}</ul>`,
  })
}

import { html, type SafeHtml } from '#core/html/html.ts'
import { createLearCredential } from '#core/lear-credential/lear-credential.ts'
import { seeOther } from '#kit/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { type MapperPreview, parseMappers, previewMappers } from '../domain/mappers.ts'
import { supportedScopes } from '../domain/provider-routes.ts'
import { unknownScope } from '../errors.ts'
import type { AdminSession } from './admin-session.ts'
import { defineAdminForm, defineAdminPage } from './define-admin-route.ts'
import { csrfField, doneMessage, panelPage } from './panel-page.ts'
import { panelTexts } from './texts.ts'

/** The scopes with their claims. */
export const showMappers = defineAdminPage({
  path: '/admin/mappers',
  summary: 'Claims by scope',
  handle: async ({ session }, dependencies) =>
    mapperListPage(session, await readScopes(dependencies)),
})

/** The mappers of one scope. */
export const showScopeMappers = defineAdminPage({
  path: '/admin/mappers/:scope',
  summary: 'Mappers of a scope',
  handle: async ({ session, params, query }, dependencies) =>
    mapperPage({ session, ...(await requireScope(dependencies, params)), done: query.done }),
})

/**
 * Saves the mappers of a scope (profile/idp, Claims), or shows a preview. An invalid line prevents
 * saving; saved mappers apply from the next token and the next userinfo response.
 *
 *
 * @row 1.resources-and-their-fields/idp-id-token-claims.3
 */
export const saveScopeMappers = defineAdminForm({
  path: '/admin/mappers/:scope',
  summary: 'Save the mappers of a scope',
  async handle({ session, params, fields }, dependencies) {
    const { scope } = await requireScope(dependencies, params)
    const text = (fields.mappers ?? '').replaceAll('\r\n', '\n').trimEnd()
    if (fields.intent === 'preview') return mapperPage({ session, scope, text })
    if (parseMappers(text).problems.length > 0) {
      return mapperPage({ session, scope, text, isRefused: true })
    }
    await dependencies.scopeMappers.save(scope, text)
    dependencies.log.info({ admin: session.username, scope }, 'mappers were changed')
    return seeOther(`/admin/mappers/${encodeURIComponent(scope)}?done=saved`)
  },
})

/** Only the preview, for the page's script. */
export const previewScopeMappers = defineAdminForm({
  path: '/admin/mappers/:scope/preview',
  summary: 'Preview the mappers of a scope',
  handle: ({ session, fields }) => ({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    },
    body: previewFragment(session, previewMappers(fields.mappers ?? '', sampleCredential())).markup,
  }),
})

/** The mapper text of every scope that can have mappers, in the order of the discovery document. */
export async function readScopes({
  scopeMappers,
}: Dependencies): Promise<ReadonlyMap<string, string>> {
  const texts = await scopeMappers.read()
  // The scope openid only yields sub, which is computed (A-42).
  const supported = supportedScopes.filter((scope) => scope !== 'openid')
  return new Map([...supported.map((scope) => [scope, texts.get(scope) ?? ''] as const), ...texts])
}

/**
 * Finds the scope in a page's address, with its mappers.
 *
 * @throws TestbedError `not_found`
 */
async function requireScope(
  dependencies: Dependencies,
  { scope = '' }: Readonly<Record<string, string>>,
): Promise<{ readonly scope: string; readonly text: string }> {
  const text = (await readScopes(dependencies)).get(scope)
  if (text !== undefined) return { scope, text }
  throw unknownScope()
}

/** The scopes with their claims. */
function mapperListPage(session: AdminSession, scopes: ReadonlyMap<string, string>) {
  const { mappers: texts } = panelTexts[session.language]
  const entries = [...scopes].map(([scope, text]) => {
    const { claims } = previewMappers(text, sampleCredential())
    return html`<li class="card">
<h2><a href="/admin/mappers/${encodeURIComponent(scope)}">${scope}</a></h2>
<p class="code">${claims.length === 0 ? texts.noClaims : claims.map(({ claim }) => claim).join(', ')}</p>
</li>`
  })
  return panelPage({
    title: texts.title,
    session,
    section: 'mappers',
    body: html`<p>${texts.lead}</p>
<ul class="list">${entries}</ul>`,
  })
}

export interface MapperPageOptions {
  readonly session: AdminSession
  readonly scope: string
  readonly text: string
  /** Whether the text was rejected on saving. */
  readonly isRefused?: boolean
  readonly done?: unknown
}

/** The mappers of a scope, with their result for a sample. */
function mapperPage({ session, scope, text, isRefused, done }: MapperPageOptions) {
  const { mappers: texts } = panelTexts[session.language]
  const preview = previewMappers(text, sampleCredential())
  const address = `/admin/mappers/${encodeURIComponent(scope)}`
  return panelPage({
    status: isRefused ? 422 : 200,
    title: `${texts.ofScope} ${scope}`,
    session,
    section: 'mappers',
    script: true,
    body: html`${doneMessage(session, done)}
<p><a href="/admin/mappers">${texts.all}</a></p>
<div class="columns">
<form class="card" id="mappers" method="post" action="${address}" data-preview="${address}/preview">
${csrfField(session.csrfToken)}
<label for="text">${texts.label}</label>
<p class="soft small" id="syntax"><code>key = path.to.field</code>, ${texts.or} <code>key = one.path + another.path</code> ${texts.joined}</p>
${isRefused && html`<p class="alert" role="alert">${texts.notSaved}</p>`}
<textarea id="text" name="mappers" rows="14" spellcheck="false" autocapitalize="none" wrap="off"
  aria-describedby="syntax" ${isRefused && html`aria-invalid="true"`}>
${text}</textarea>
<p class="actions">
<button class="button primary" name="intent" value="save" type="submit">${texts.save}</button>
<button class="button" name="intent" value="preview" type="submit">${texts.preview}</button>
</p>
</form>
<section class="card" aria-labelledby="preview-title">
<h2 id="preview-title">${texts.preview}</h2>
<div id="preview" aria-live="polite">${previewFragment(session, preview)}</div>
<details><summary>${texts.sample}</summary>
<pre tabindex="0" aria-label="${texts.sample}">${JSON.stringify(sampleCredential(), null, 2)}</pre>
</details>
</section>
</div>`,
  })
}

/** The result of a mapper text for the sample, as a part of the page. */
function previewFragment(
  { language }: AdminSession,
  { problems, claims }: MapperPreview,
): SafeHtml {
  const { mappers: texts } = panelTexts[language]
  return html`${
    problems.length > 0 &&
    html`<ul class="problems">${problems.map(
      ({ line, reason }) => html`<li>${texts.line} ${line}: <span lang="en">${reason}</span></li>`,
    )}</ul>`
  }
${
  claims.length === 0
    ? html`<p class="soft">${texts.none}</p>`
    : html`<dl>${claims.map(
        ({ claim, value }) => html`<dt class="code">${claim}</dt>
<dd class="code">${value === undefined ? html`<em>${texts.notInSample}</em>` : JSON.stringify(value)}</dd>`,
      )}</dl>`
}`
}

/** The sample for authors of mappers: the `vc` claim of a credential from the testbed's issuers. */
const sampleCredential = () =>
  createLearCredential({
    id: 'urn:uuid:00000000-0000-4000-8000-000000000001',
    issuerDid: 'did:org:uc-pre:z1SampleIssuer',
    holderDid: 'did:key:zQ3sSampleHolder',
    mandate: {
      mandator: {
        organizationIdentifier: 'VATES-A12345678',
        organization: 'Sample Organization',
        commonName: 'Ana Ruiz',
        country: 'ES',
        email: 'ana.ruiz@sample.example',
        serialNumber: 'IDCES-12345678Z',
      },
      mandatee: {
        employeeId: 'EMP-1',
        email: 'ana.ruiz@sample.example',
        firstName: 'Ana',
        lastName: 'Ruiz',
      },
      power: [{ type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] }],
    },
    termsOfUseUrl: 'https://tir.example/trusted-issuers-registry/v4/issuers/sample',
    now: 1_767_225_600,
    validUntil: 1_798_761_600,
  }).vc

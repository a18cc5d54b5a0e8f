import { html } from '#core/html/html.ts'
import { previewMappers } from '../../domain/mappers.ts'
import { sampleCredential } from '../domain/sample-credential.ts'
import type { AdminSession } from '../find-admin-session.ts'
import { csrfField } from './csrf-field.ts'
import { doneMessage } from './done-message.ts'
import { panelPage } from './panel-page.ts'
import { previewFragment } from './preview-fragment.ts'

export interface MapperPageOptions {
  readonly session: AdminSession
  readonly scope: string
  readonly text: string
  /** Whether the text was refused when it was to be saved. */
  readonly isRefused?: boolean
  readonly done?: unknown
}

/** The mappers of a scope, with what they make of a sample. */
export function mapperPage({ session, scope, text, isRefused, done }: MapperPageOptions) {
  const preview = previewMappers(text, sampleCredential)
  const address = `/admin/mappers/${encodeURIComponent(scope)}`
  return panelPage({
    status: isRefused ? 422 : 200,
    title: `Claims of scope ${scope}`,
    session,
    section: 'mappers',
    script: true,
    body: html`${doneMessage(done)}
<p><a href="/admin/mappers">All scopes</a></p>
<div class="columns">
<form class="card" id="mappers" method="post" action="${address}" data-preview="${address}/preview">
${csrfField(session.csrfToken)}
<label for="text">Mappers, one a line</label>
<p class="soft small" id="syntax"><code>key = path.to.field</code>, or <code>key = one.path + another.path</code> for both with a blank between.</p>
${isRefused && html`<p class="alert" role="alert">Not saved: see what is wrong with which line.</p>`}
<textarea id="text" name="mappers" rows="14" spellcheck="false" autocapitalize="none" wrap="off"
  aria-describedby="syntax" ${isRefused && html`aria-invalid="true"`}>
${text}</textarea>
<p class="actions">
<button class="button primary" name="intent" value="save" type="submit">Save</button>
<button class="button" name="intent" value="preview" type="submit">Preview</button>
</p>
</form>
<section class="card" aria-labelledby="preview-title">
<h2 id="preview-title">Preview</h2>
<div id="preview" aria-live="polite">${previewFragment(preview)}</div>
<details><summary>The sample credential</summary>
<pre tabindex="0" aria-label="Sample credential">${JSON.stringify(sampleCredential, null, 2)}</pre>
</details>
</section>
</div>`,
  })
}

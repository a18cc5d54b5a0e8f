import { html } from '#core/html/html.ts'
import {
  publishedUntil,
  rotateSigningKey,
  type SigningKey,
} from '#kit/openid-provider/signing-keys.ts'
import { seeOther } from '#kit/page.ts'
import type { AdminSession } from './admin-session.ts'
import { defineAdminForm, defineAdminPage } from './define-admin-route.ts'
import { csrfField, doneMessage, panelPage, timeOf } from './panel-page.ts'
import { panelTexts } from './texts.ts'

/** The keys that sign tokens. */
export const showKeys = defineAdminPage({
  path: '/admin/keys',
  summary: 'Signing keys',
  handle: async ({ session, query }, { providers }) =>
    keysPage({
      session,
      keys: await providers.publishedKeys(),
      tokenLifetime: providers.tokenLifetime,
      done: query.done,
    }),
})

/**
 * Creates a new key that signs from now on. The form names the key to replace, so that sending it
 * twice creates one key.
 */
export const rotateKey = defineAdminForm({
  path: '/admin/keys/rotate',
  summary: 'Create a new signing key',
  async handle({ session, fields }, { database, runtime, providers, log }) {
    const { tokenLifetime } = providers
    const options = { kid: fields.kid ?? '', tokenLifetime }
    if (!(await rotateSigningKey(database, runtime.clock, options))) return seeOther('/admin/keys')
    log.info({ admin: session.username, superseded: options.kid }, 'the signing key was rotated')
    return seeOther('/admin/keys?done=rotated')
  },
})

export interface KeysPageOptions {
  readonly session: AdminSession
  /** The keys in the key set, the current one first. */
  readonly keys: readonly SigningKey[]
  /** Lifetime of the longest-lived token, in seconds. */
  readonly tokenLifetime: number
  readonly done: unknown
}

/** The keys that sign tokens, and the button for creating a new one. */
function keysPage({ session, keys, tokenLifetime, done }: KeysPageOptions) {
  const [current] = keys
  const { keys: texts, sections } = panelTexts[session.language]
  return panelPage({
    title: sections.keys,
    session,
    section: 'keys',
    body: html`${doneMessage(session, done)}
<p>${texts.lead}</p>
<ul class="list" id="keys">${keys.map((key) => {
      const end = publishedUntil(key, tokenLifetime)
      return html`<li class="card">
<p><strong class="badge" data-status="${end === undefined ? 'SUCCESS' : 'PENDING'}">${end === undefined ? texts.signs : texts.verifies}</strong></p>
<dl><dt>kid</dt><dd class="code">${key.jwk.kid}</dd>
<dt>${texts.created}</dt><dd>${timeOf(key.createdAt)}</dd>
${end !== undefined && html`<dt>${texts.publishedUntil}</dt><dd>${timeOf(end)}</dd>`}</dl></li>`
    })}</ul>
<section class="card"><h2>${texts.rotate}</h2>
<p>${texts.rotateLead}</p>
<form method="post" action="/admin/keys/rotate">
${csrfField(session.csrfToken)}
<input type="hidden" name="kid" value="${current?.jwk.kid}">
<button class="button primary" id="rotate" type="submit">${texts.create}</button>
</form></section>`,
  })
}

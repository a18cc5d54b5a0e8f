import { html, type SafeHtml } from '#core/html/html.ts'

/** The field that every form of the panel has. */
export function csrfField(token: string): SafeHtml {
  return html`<input type="hidden" name="csrf_token" value="${token}">`
}

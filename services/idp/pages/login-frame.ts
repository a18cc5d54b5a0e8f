import { html, type SafeHtml } from '#core/html/html.ts'
import type { Texts } from './texts/texts.ts'

/** What the pages of a login share. */
export interface LoginFrame {
  /** The login under way. */
  readonly uid: string
  /** Name of the application that asks to sign in. */
  readonly clientName: string
  /** Where the application's answer goes; the form to cancel ends there. */
  readonly redirectUri: string
}

/** The way back to the application without having signed in. */
export function cancelForm(texts: Texts, uid: string): SafeHtml {
  return html`<form method="post" action="/accounts/interaction/${uid}/cancel">
<button class="button quiet" id="cancel" type="submit">${texts.cancel}</button>
</form>`
}

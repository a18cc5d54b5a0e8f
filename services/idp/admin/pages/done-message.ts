import { html, type SafeHtml } from '#core/html/html.ts'

/** What was done just now, where an address says so by name. */
export function doneMessage(done: unknown): SafeHtml | undefined {
  const text = messages.get(String(done))
  return text === undefined ? undefined : html`<p class="done" role="status">${text}</p>`
}

const messages = new Map([
  ['saved', 'Saved. It counts from now on.'],
  ['deleted', 'Deleted. It counts from now on.'],
  ['rotated', 'A new key signs from now on.'],
  ['password', 'The password was changed, and all other sessions ended.'],
])

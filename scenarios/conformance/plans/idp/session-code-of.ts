import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import { endCheck, inconclusive } from '../../finding.ts'

/** The session code of a login's page (Document 1, Verification session). */
export function sessionCodeOf({ text }: HttpPage): string {
  const code = /data-session="([^"]+)"/.exec(text)?.[1] ?? /[?&]session=([\w.~-]+)/.exec(text)?.[1]
  return code ?? endCheck(inconclusive('The page tells no session code that could be polled.'))
}

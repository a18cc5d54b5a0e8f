import type { Interaction } from 'oidc-provider'
import type { Reply } from '#kit/define-route.ts'
import { loginExpired } from '#kit/openid-provider/interactions.ts'
import type { Dependencies } from '../dependencies.ts'
import { answerBrowser, type BrowserInput, type Visit } from './answer-browser.ts'

/** Answers the browser that began a login; any other one is told that it is none of its own. */
export function answerLogin(
  input: BrowserInput,
  dependencies: Dependencies,
  work: (login: Visit & { readonly interaction: Interaction }) => Promise<Reply>,
): Promise<Reply> {
  return answerBrowser(input, dependencies, async ({ interaction, ...visit }) => {
    if (interaction === undefined) throw loginExpired()
    return work({ ...visit, interaction })
  })
}

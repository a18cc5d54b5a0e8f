import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { findInteraction } from '#kit/openid-provider/interactions.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorPage } from '../pages/error-page.ts'
import { selectTexts } from '../pages/texts/select-texts.ts'
import type { Texts } from '../pages/texts/texts.ts'

/** A browser at an address of a login. */
export interface Visit {
  readonly provider: Provider
  /** The login, where this is the browser that began it. */
  readonly interaction: Interaction | undefined
  readonly texts: Texts
}

export interface BrowserInput {
  readonly params: { readonly uid: string }
  readonly request: Request
  readonly response: Response
}

/**
 * Answers a browser in its language, or in the one that the relying party asked for (`ui_locales`):
 * what is thrown becomes a page instead of JSON.
 */
export async function answerBrowser(
  { params, request, response }: BrowserInput,
  dependencies: Dependencies,
  work: (visit: Visit) => Promise<Reply>,
): Promise<Reply> {
  const accepted = request.get('accept-language')
  let texts = selectTexts(accepted)
  try {
    const { provider } = await dependencies.providers.readCurrent()
    const interaction = await findInteraction(provider, params.uid, request, response)
    texts = selectTexts(accepted, interaction?.params.ui_locales)
    return await work({ provider, interaction, texts })
  } catch (thrown) {
    const { log } = dependencies
    const error = toTestbedError(thrown)
    const { status, code } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return errorPage(texts, { status, code, description: error.message })
  }
}

import type { Request, Response } from 'express'
import type { Interaction, Provider } from 'oidc-provider'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/error-response.ts'
import type { Dependencies } from '../dependencies.ts'
import { messagePage } from '../pages/message-page.ts'
import { selectTexts } from '../pages/texts/select-texts.ts'
import type { Texts } from '../pages/texts/texts.ts'

/** The login under way in this browser: its cookie says so. Undefined in any other browser. */
export async function findInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction | undefined> {
  const interaction = await provider.interactionDetails(request, response).catch((cause) => {
    if (cause?.name === 'SessionNotFound') return undefined
    throw cause
  })
  return interaction?.uid === uid && interaction.prompt.name === 'login' ? interaction : undefined
}

/**
 * The login under way, for the browser that began it alone. Nothing can be posted into it from
 * another site, as browsers keep the cookie (SameSite=Lax) back.
 *
 * @throws TestbedError `login_expired`
 * @assumption A-31
 */
export async function openInteraction(
  provider: Provider,
  uid: string,
  request: Request,
  response: Response,
): Promise<Interaction> {
  const interaction = await findInteraction(provider, uid, request, response)
  if (interaction) return interaction
  throw new TestbedError({ code: 'login_expired', status: 400, message: 'no such login here' })
}

/** Answers a browser in its language: what is thrown becomes a page instead of JSON. */
export async function answerBrowser(
  request: Request,
  { log }: Dependencies,
  work: (texts: Texts) => Promise<Reply>,
): Promise<Reply> {
  const texts = selectTexts(request.get('accept-language'))
  try {
    return await work(texts)
  } catch (thrown) {
    const error = toTestbedError(thrown)
    const { status, code } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return messagePage(texts, {
      status,
      code,
      title: status >= 500 ? texts.serverErrorTitle : texts.cannotGoOn,
      message: texts.errors[code] ?? (status >= 500 ? texts.serverError : error.message),
      hint: status >= 500 ? texts.tryLater : texts.startAgain,
    })
  }
}

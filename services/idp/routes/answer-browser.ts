import type { Request } from 'express'
import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/error-response.ts'
import type { Dependencies } from '../dependencies.ts'
import { messagePage } from '../pages/message-page.ts'
import { selectTexts } from '../pages/texts/select-texts.ts'
import type { Texts } from '../pages/texts/texts.ts'

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

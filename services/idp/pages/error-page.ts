import { messagePage } from './message-page.ts'
import type { Texts } from './texts/texts.ts'

export interface ErrorPageOptions {
  readonly status: number
  /** Stable name of the error. */
  readonly code: string
  /** What is wrong with the request, in English, for whoever wrote the application. */
  readonly description?: string | undefined
}

/** Tells people what cannot go on and what they can do; of a server's fault nothing but that. */
export function errorPage(texts: Texts, { status, code, description }: ErrorPageOptions) {
  const isFault = status >= 500
  const known = texts.errors[code]
  return messagePage(texts, {
    status,
    title: isFault ? texts.serverErrorTitle : texts.cannotGoOn,
    message: known ?? (isFault ? texts.serverError : texts.badRequest),
    hint: isFault ? texts.tryLater : texts.startAgain,
    code: isFault || known || description === undefined ? code : `${code}: ${description}`,
  })
}

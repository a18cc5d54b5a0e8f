import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorPage } from './pages/error-page.ts'

/** Answers a browser: what is thrown becomes a page of the panel. */
export async function answerAdmin(
  { log }: Pick<Dependencies, 'log'>,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const error = toTestbedError(thrown)
    const { status, code, message } = error
    if (status >= 500) log.error({ err: error.cause ?? error, code, detail: error.detail }, code)
    return errorPage({ status, code, message })
  }
}

import type { Reply } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import { errorPage } from '../pages/error-page.ts'

/** Answers a browser: what is thrown becomes a page instead of JSON. Server faults go on. */
export async function answerBrowser(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (thrown) {
    const { status, code, message } = toTestbedError(thrown)
    if (status === 500) throw thrown
    return errorPage({ status, code, message, title: 'This sign-in cannot go on' })
  }
}

import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { readWholeBody } from '#scenarios/harness/http-client.ts'

const withoutBody = [204, 205, 304]

/**
 * A fetch that tells a connection without an answer, or one that breaks off in the middle of it, as
 * the kit's HTTP client does: `no_answer`. The answer is read when it comes, so it has no address.
 */
export function fetchOrNoAnswer(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    try {
      const answer = await fetch(input, init)
      const bytes = await readWholeBody(answer.body)
      return new Response(withoutBody.includes(answer.status) ? null : bytes, answer)
    } catch (cause) {
      if (isTestbedError(cause)) throw cause
      const url = input instanceof Request ? input.url : input
      const reason = cause instanceof Error ? (cause.cause ?? cause) : cause
      throw new TestbedError({
        code: 'no_answer',
        status: 503,
        message: `${url} had no answer: ${reason instanceof Error ? reason.message : reason}`,
        cause,
      })
    }
  }
}

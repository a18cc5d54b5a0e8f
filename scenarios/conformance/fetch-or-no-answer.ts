import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'

/** A fetch that tells a connection without an answer as the kit's HTTP client does: `no_answer`. */
export function fetchOrNoAnswer(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init)
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

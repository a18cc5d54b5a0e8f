import { isTestbedError } from '#core/errors/testbed-error.ts'

/** Whether a registry refused a transaction since another one of the account came first. */
function isStaleNonce(error: unknown): boolean {
  if (!isTestbedError(error) || error.code !== 'registry_refused') return false
  const { error: code } = error.extra
  // The TIR has one code for all that is wrong with a transaction; the words have to tell.
  return code === 'invalid_nonce' || (code === -32602 && /\bnonce\b/i.test(error.message))
}

/**
 * Does the work again from building on, where another transaction of the same account took the nonce
 * between building and sending: nothing was sent then. An account that others use as well loses at
 * most once to each of them.
 */
export async function buildAgainWhenStale<T>(work: () => Promise<T>, attempts = 20): Promise<T> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !isStaleNonce(error)) throw error
    }
  }
}

import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { FailedLookup, Lookup } from '#core/verification/rules.ts'
import type { WalletHttp, WalletResponse } from '../http/create-wallet-http.ts'

export interface LookUpOptions<Value> {
  readonly url: string
  readonly accept: string
  /** Undefined where the answer is not to be understood. */
  readonly read: (response: WalletResponse) => Value | undefined
}

/**
 * Asks a registry or an issuer for something by GET. 404 is an answer; any other status but 200, and
 * whatever can't be read, counts as none. What interrupts the wallet itself is thrown.
 *
 * @assumption A-29
 */
export async function lookUp<Value>(
  http: WalletHttp,
  { url, accept, read }: LookUpOptions<Value>,
): Promise<Lookup<Value>> {
  try {
    const response = await http.request(url, { headers: { accept } })
    const { status } = response
    if (status === 404) return missing('not-found', `${url} is not there (404)`)
    if (status !== 200) return missing('unavailable', `${url} answered ${status}`)
    const value = read(response)
    if (value !== undefined) return { ok: true, value }
    return missing('unavailable', `the answer of ${url} is not understood`)
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return missing('unavailable', error.message)
  }
}

/** A lookup that gave nothing, for the given reason. */
export function missing(kind: FailedLookup['kind'], reason: string): FailedLookup {
  return { ok: false, kind, reason }
}

import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import type { CounterpartAnswer } from '#wallet-emulator/wallet-error.ts'

/** Codes of a wallet that got no judgement out of the other side: nothing was refused. */
const withoutAnswer = ['unreachable', 'response_too_large', 'deferred_time_out']

/**
 * Runs a verb. Where the wallet or its counterpart refuses, the answer is 422; where the counterpart
 * gave none, was overloaded (429) or failed (5xx), it is 502: that is no refusal.
 */
export async function asVerb<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTestbedError(error) || error.status !== 400) throw error
    const { code, message, hints, extra, cause } = error
    const answer = extra.answer as CounterpartAnswer | undefined
    const failed = answer !== undefined && (answer.status === 429 || answer.status >= 500)
    const status = failed || withoutAnswer.includes(code) ? 502 : 422
    throw new TestbedError({ code, status, message, hints, extra, cause })
  }
}

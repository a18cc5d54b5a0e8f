import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { classifyError } from './classify-answer.ts'
import { broken, endedWith, type Finding, inconclusive } from './finding.ts'

/**
 * What an error says of the system under test: an expectation that did not hold or a message that
 * the kit's wallet had to refuse is broken; no answer, overload, outage and a redirect are inconclusive.
 * Undefined for a fault of the kit itself.
 */
export function findingOfError(error: unknown): Finding | undefined {
  const ended = endedWith(error)
  if (ended) return ended
  if (!isTestbedError(error)) return undefined
  const { code, message, extra } = error
  const kind = classifyError(error)
  if (kind !== undefined && kind !== 'accepted' && kind !== 'refused') return inconclusive(message)
  // Somewhere else may be whatever stands before the system: it has neither accepted nor refused.
  if (code === 'redirect_refused') return inconclusive(message)
  const { expected, actual } = extra
  if (code === 'expectation_failed') return broken(message, { expected, actual })
  const failures = extra.failures as readonly VerificationFailure[] | undefined
  return broken(`${message} (${code})`, { ...(failures && { failures }), actual: extra.answer })
}

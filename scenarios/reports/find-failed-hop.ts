import type { ScenarioResult } from '#scenarios/harness/z-results.ts'

/**
 * Position of the exchange at which a scenario failed: the last one that it set off itself at the
 * step that failed, which is what it saw before it gave up. Undefined where it passed, or where that
 * step exchanged nothing.
 */
export function findFailedHop({
  verdict,
  steps,
  hops,
  check,
}: Pick<ScenarioResult, 'verdict' | 'steps' | 'hops' | 'check'>): number | undefined {
  // A check is judged by all that was seen, which may have come before the last exchange.
  if (verdict !== 'failed' || check !== undefined) return undefined
  const failedStep = steps.findLastIndex((step) => step.verdict === 'failed') + 1
  // What a part asks of others in order to answer carries the request id of the question.
  const answered = new Set<string>()
  let found: number | undefined
  for (const [position, { step, requestId }] of hops.entries()) {
    const isInner = requestId !== undefined && answered.has(requestId)
    if (requestId !== undefined) answered.add(requestId)
    if (step === failedStep && !isInner) found = position
  }
  return found
}

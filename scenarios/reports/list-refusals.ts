import type { ScenarioResult } from '#scenarios/harness/z-results.ts'

/**
 * What was refused at the step at which a scenario failed, a line for each broken rule: who refused
 * whom, by which rule, and why. What was refused before was meant to be.
 */
export function listRefusals({ steps, hops }: Pick<ScenarioResult, 'steps' | 'hops'>): string[] {
  const failedStep = steps.findIndex(({ verdict }) => verdict === 'failed') + 1
  const lines = hops
    .filter(({ step }) => failedStep > 0 && step === failedStep)
    .flatMap(({ from, to, rules = [] }) =>
      rules
        .filter(({ passed }) => !passed)
        .map(({ rule, reasons = [] }) => [`${to} refused ${from}: ${rule}`, ...reasons].join(', ')),
    )
  return [...new Set(lines)]
}

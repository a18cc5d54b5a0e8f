import type { CheckResult, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { labelOf } from './group-hops.ts'
import { levelNames } from './verdict-names.ts'

const expectations = {
  accept: 'that it accepts',
  refuse: 'that it refuses',
  advice: 'what it is well advised to do',
} as const

/** What a check is made of, by name, in the order in which it is told. Its reason is not among it. */
export function describeCheck(check: CheckResult): (readonly [name: string, text: string])[] {
  const { level, expectation, clauses, sends, decides, verdictSource } = check
  return [
    ['Level', `${level}: ${levelNames[level]}`],
    ...(clauses.length === 0 ? [] : [['Standards', clauses.join('; ')] as const]),
    ['Expected', expectations[expectation]],
    ['What is sent', sends],
    ['What decides', decides],
    ...(verdictSource === undefined ? [] : [['Verdict seen in', verdictSource] as const]),
  ]
}

const mostExchanges = 12

/** What was exchanged, one a line: `kit → verifier under test: POST /response, 400`. */
export function listExchanges({ hops }: Pick<ScenarioResult, 'hops'>): string[] {
  const lines = hops.map((hop) => {
    const status = hop.status === 0 ? 'no answer' : hop.status
    return `${hop.from} → ${hop.to}: ${labelOf(hop)}, ${status}`
  })
  if (lines.length <= mostExchanges) return lines
  const more = `and ${lines.length - mostExchanges + 1} more`
  return [...lines.slice(0, mostExchanges - 1), more]
}

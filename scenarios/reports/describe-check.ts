import type { CheckResult, ScenarioHop, ScenarioResult } from '#scenarios/harness/z-results.ts'
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

const answerOf = ({ kind, status }: ScenarioHop) =>
  kind === 'command' ? `exit code ${status}` : status === 0 ? 'no answer' : status

const mostExchanges = 12

/** What was exchanged, one a line: `kit → verifier under test: POST /response, 400`. */
export function listExchanges({ hops }: Pick<ScenarioResult, 'hops'>): string[] {
  const lines = hops.map((hop) => `${hop.from} → ${hop.to}: ${labelOf(hop)}, ${answerOf(hop)}`)
  if (lines.length <= mostExchanges) return lines
  const more = `and ${lines.length - mostExchanges + 1} more`
  return [...lines.slice(0, mostExchanges - 1), more]
}

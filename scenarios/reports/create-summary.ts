import type { Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { formatDuration } from './format-duration.ts'
import { tallyResults } from './tally-results.ts'

const signs = { passed: '✅', failed: '❌', interrupted: '⏹️', 'not-run': '⚪' } as const

/** Keeps a text in one cell of a table, and its characters from being read as Markdown. */
const cell = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\|<>*_`[\]]/g, '\\$&')

const fence = (text: string) => {
  const ticks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${ticks}text\n${text}\n${ticks}`
}

const rowOf = ({ verdict, suite, name, algorithm, title, durationMilliseconds }: ScenarioResult) =>
  `| ${signs[verdict]} | ${suite}/${name} | ${algorithm} | ${cell(title)} | ${formatDuration(durationMilliseconds)} |`

function explain({ id, title, failure, repeat }: ScenarioResult): string[] {
  if (failure === undefined) return []
  const { step, message } = failure
  return [
    `### ${id}: ${cell(title)}`,
    '',
    ...(step === undefined ? [] : [`At the step **${cell(step)}**:`, '']),
    fence(message),
    '',
    `Again alone: \`${repeat}\``,
    '',
  ]
}

/** The results as Markdown, fit for a job summary or a comment. */
export function createSummary(results: Results): string {
  const { passed, failed, skipped } = tallyResults(results)
  const { scenarios, warnings } = results
  const failures = scenarios.filter(({ verdict }) => verdict === 'failed')
  const lines = [
    `# ${failed === 0 ? '✅' : '❌'} Scenarios: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    '',
    `Environment ${results.environment}, ${formatDuration(results.durationMilliseconds)}, started ${results.startedAt}${results.interrupted ? ', interrupted' : ''}.`,
    '',
    ...warnings.map((warning) => `> ⚠️ ${cell(warning)}\n`),
    ...(failures.length === 0 ? [] : ['## Failures', '', ...failures.flatMap(explain)]),
    '## All scenarios',
    '',
    '| | Scenario | Algorithm | Title | Time |',
    '| --- | --- | --- | --- | ---: |',
    ...scenarios.map(rowOf),
    '',
  ]
  return lines.join('\n')
}

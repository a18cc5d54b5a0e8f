import type { Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { summarizeConformance } from './create-conformance-summary.ts'
import type { Difference } from './create-difference.ts'
import {
  changeNames,
  countChanges,
  describeChange,
  groupChanges,
  otherSelection,
} from './describe-change.ts'
import { describeFailure, formatDiff } from './describe-failure.ts'
import { formatDuration } from './format-duration.ts'
import { listRefusals } from './list-refusals.ts'
import { cell, fence, joinWithin } from './markdown.ts'
import { selectionOf } from './selection-of.ts'
import { formatTally, tallyResults } from './tally-results.ts'

export interface SummaryOptions {
  /** What changed since an earlier run. */
  readonly difference?: Difference | undefined
  /** Bytes that it may have; what does not fit is left out from its end, and that is said. */
  readonly limit?: number
}

const signs = {
  passed: '✅',
  failed: '❌',
  warned: '⚠️',
  inconclusive: '❔',
  interrupted: '⏹️',
  'not-run': '⚪',
} as const

const rowOf = ({ verdict, suite, name, algorithm, title, durationMilliseconds }: ScenarioResult) =>
  `| ${signs[verdict]} | ${suite}/${name} | ${algorithm} | ${cell(title)} | ${formatDuration(durationMilliseconds)} |`

function explain(result: ScenarioResult): string {
  const { id, title, failure, repeat } = result
  if (failure === undefined) return ''
  const { step, message } = failure
  const difference = describeFailure(failure)
  return [
    `### ${id}: ${cell(title)}`,
    '',
    ...(step === undefined ? [] : [`At the step **${cell(step)}**:`, '']),
    fence(message, 'text'),
    '',
    ...(difference === undefined ? [] : [fence(formatDiff(difference), 'diff'), '']),
    ...listRefusals(result).flatMap((refusal) => [`Refused: ${cell(refusal)}`, '']),
    `Again alone: \`${repeat}\``,
    '',
  ].join('\n')
}

/** What changed since an earlier run, as Markdown. */
export function summarizeDifference(difference: Difference): string {
  const { before, isSameSelection } = difference
  const groups = groupChanges(difference).flatMap(({ kind, changes, more }) => {
    const items = changes.map((change) => {
      const said = describeChange(change)
      return `- ${change.id}: ${cell(change.title)}${said === '' ? '' : ` (${cell(said)})`}`
    })
    return [
      `**${changeNames[kind]}**`,
      '',
      ...items,
      ...(more > 0 ? [`- and ${more} more`] : []),
      '',
    ]
  })
  return [
    `## Since the run of ${before.startedAt}: ${countChanges(difference)}`,
    '',
    ...(isSameSelection ? [] : [otherSelection, '']),
    ...groups,
  ].join('\n')
}

/** The results as Markdown, fit for a job summary or a comment. */
export function createSummary(results: Results, options: SummaryOptions = {}): string {
  const { difference, limit = Number.POSITIVE_INFINITY } = options
  const told = difference === undefined ? [] : [summarizeDifference(difference)]
  const { conformance } = results
  const blocks =
    conformance === undefined
      ? summarizeScenarios(results, told)
      : [...summarizeConformance(results, conformance), ...told]
  return joinWithin(blocks, limit)
}

/** A run of scenarios as blocks of Markdown, with what is told of an earlier run. */
function summarizeScenarios(results: Results, difference: readonly string[]): string[] {
  const tally = tallyResults(results)
  const { scenarios, warnings, environment, seed } = results
  const { pattern, shard } = selectionOf(results)
  const failures = scenarios.filter(({ verdict }) => verdict === 'failed')
  const asked = [
    ...(seed === undefined ? [] : [`seed ${cell(seed)}`]),
    ...(pattern === undefined ? [] : [`selection ${cell(pattern)}`]),
    ...(shard === undefined ? [] : [`shard ${shard}`]),
  ]
  const facts = [
    `Environment ${environment}`,
    ...asked,
    formatDuration(results.durationMilliseconds),
    `started ${results.startedAt}${results.interrupted ? ', interrupted' : ''}.`,
  ]
  return [
    `# ${tally.failed === 0 ? '✅' : '❌'} Scenarios: ${formatTally(tally, false)}`,
    '',
    facts.join(', '),
    '',
    ...warnings.map((warning) => `> ⚠️ ${cell(warning)}\n`),
    ...difference,
    ...(failures.length === 0 ? [] : ['## Failures\n', ...failures.map(explain)]),
    '## All scenarios\n',
    '| | Scenario | Algorithm | Title | Time |\n| --- | --- | --- | --- | ---: |',
    ...scenarios.map(rowOf),
    '',
  ]
}

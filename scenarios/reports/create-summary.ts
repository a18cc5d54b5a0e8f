import {
  type CheckResult,
  type Conformance,
  isBlocked,
  type Results,
  type ScenarioResult,
} from '#scenarios/harness/z-results.ts'
import {
  changeNames,
  countChanges,
  type Difference,
  describeChange,
  groupChanges,
  otherSelection,
  selectionOf,
} from './create-difference.ts'
import { describeFailure, formatDiff, listRefusals } from './describe-failure.ts'
import { summarizeDialectAsMarkdown } from './dialect-section.ts'
import { cell, fence, formatDuration, joinWithin, planTitle } from './formatting.ts'
import {
  checkMeanings,
  checkOrder,
  checkWords,
  describeCheck,
  describeFixes,
  formatTally,
  listExchanges,
  tallyResults,
} from './verdicts.ts'

export interface SummaryOptions {
  /** The changes since an earlier run. */
  readonly difference?: Difference | undefined
  /** The limit in bytes; the end is cut off if necessary, with a note. */
  readonly limit?: number
}

/** The results as Markdown, for a job summary or a comment. */
export function createSummary(results: Results, options: SummaryOptions = {}): string {
  const { difference, limit = Number.POSITIVE_INFINITY } = options
  const changeLines = difference === undefined ? [] : [summarizeDifference(difference)]
  const { conformance } = results
  const blocks =
    conformance === undefined
      ? summarizeScenarios(results, changeLines)
      : [...summarizeConformance(results, conformance), ...changeLines]
  return joinWithin(blocks, limit)
}

/** The changes since an earlier run, as Markdown. */
function summarizeDifference(difference: Difference): string {
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

/** A run of scenarios as blocks of Markdown, with the changes since an earlier run. */
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
    ...(step === undefined ? [] : [`In the step **${cell(step)}**:`, '']),
    fence(message, 'text'),
    '',
    ...(difference === undefined ? [] : [fence(formatDiff(difference), 'diff'), '']),
    ...listRefusals(result).flatMap((refusal) => [`Rejected: ${cell(refusal)}`, '']),
    `Repeat: \`${repeat}\``,
    '',
  ].join('\n')
}

type CheckedResult = ScenarioResult & { readonly check: CheckResult }

const signOf = ({ failed, warned, inconclusive, skipped }: ReturnType<typeof tallyResults>) => {
  if (failed > 0) return '❌'
  return warned + inconclusive + skipped > 0 ? '⚠️' : '✅'
}

function renderTarget({ target, strict, kitVersion, commit }: Conformance): string {
  const { name, description, addresses } = target
  return [
    `Target: **${cell(name)}**${description === undefined ? '' : `, ${cell(description)}`}`,
    '',
    ...Object.entries(addresses).map(([part, address]) => `- ${cell(part)}: ${cell(address)}`),
    `- kit ${kitVersion}${commit === undefined ? '' : `, commit ${commit}`}${strict ? ', strict' : ''}`,
    '',
  ].join('\n')
}

function renderTable(results: Results): string {
  const rows = checkOrder.flatMap((verdict) => {
    const count = results.scenarios.filter((each) => each.verdict === verdict).length
    const isRare = verdict === 'interrupted' || verdict === 'not-run'
    if (isRare && count === 0) return []
    return [`| ${checkWords[verdict]} | ${count} | ${checkMeanings[verdict]} |`]
  })
  return ['| Verdict | Checks | Meaning |', '| --- | ---: | --- |', ...rows, ''].join('\n')
}

/** Why a check did not pass, with its rule, how it is decided and how to repeat it. */
function explainCheck(result: CheckedResult): string {
  const { check, title, failure, repeat } = result
  const difference = failure && describeFailure(failure)
  const exchanges = listExchanges(result)
  return [
    `### ${checkWords[result.verdict]} ${check.id}: ${cell(title)}`,
    '',
    `**${cell(check.reason)}**`,
    '',
    ...(difference === undefined ? [] : [fence(formatDiff(difference), 'diff'), '']),
    ...describeFixes(result).flatMap((line) => [cell(line), '']),
    ...check.rules.flatMap(({ id, text, paragraph = id }) => [
      `> ${cell(text)} (\`${paragraph}\`)`,
      '',
    ]),
    ...describeCheck(check).map(([name, text]) => `- ${name}: ${cell(text)}`),
    '',
    ...(exchanges.length === 0 ? [] : [fence(exchanges.join('\n'), 'text'), '']),
    `Repeat: \`${repeat}\``,
    '',
  ].join('\n')
}

const checkRowOf = ({ check, title, durationMilliseconds }: CheckedResult) =>
  `| ${check.id} | ${check.level} | ${cell(title)} | ${formatDuration(durationMilliseconds)} |`

function renderFolded(passed: readonly CheckedResult[]): string {
  if (passed.length === 0) return ''
  return [
    `<details><summary>PASS: ${passed.length}</summary>`,
    '',
    '| | Level | Title | Time |',
    '| --- | --- | --- | ---: |',
    ...passed.map(checkRowOf),
    '',
    '</details>',
    '',
  ].join('\n')
}

/** Why checks are inconclusive: a reason that several checks share is listed once. */
function listUndecided(undecided: readonly CheckedResult[]): string[] {
  const byReason = Map.groupBy(undecided, ({ check }) => check.reason)
  return [...byReason].map(([reason, checks]) => {
    const [first] = checks
    const ids = checks.map(({ check }) => check.id).join(', ')
    return checks.length > 1
      ? `- **${checks.length} checks** (${ids}): ${cell(reason)}`
      : `- **${ids}** ${cell(first?.title ?? '')}: ${cell(reason)}`
  })
}

/**
 * The results of a plan as blocks of Markdown: the target and a table by verdict, then failures
 * with their reasons, warnings, inconclusive checks with what is missing to decide them, and passed
 * checks, folded.
 */
function summarizeConformance(results: Results, conformance: Conformance): string[] {
  const tally = tallyResults(results)
  const { startedAt, durationMilliseconds, interrupted, warnings } = results
  const checks = results.scenarios.filter((each): each is CheckedResult => each.check !== undefined)
  const of = (verdict: ScenarioResult['verdict']) =>
    checks.filter((each) => each.verdict === verdict)
  const undecided = listUndecided(of('inconclusive'))
  return [
    `# ${isBlocked(results) ? '❌' : signOf(tally)} ${planTitle(conformance.plan)}: ${formatTally(tally, true)}`,
    '',
    renderTarget(conformance),
    `Started ${startedAt}, ${formatDuration(durationMilliseconds)}${interrupted ? ', interrupted' : ''}.`,
    '',
    ...warnings.map((warning) => `> ⚠️ ${cell(warning)}\n`),
    renderTable(results),
    ...of('failed').map(explainCheck),
    ...of('warned').map(explainCheck),
    ...(undecided.length === 0 ? [] : ['### INCONCLUSIVE\n', ...undecided, '']),
    summarizeDialectAsMarkdown(conformance.dialect ?? []),
    renderFolded(of('passed')),
  ]
}

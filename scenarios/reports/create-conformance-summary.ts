import type {
  CheckResult,
  Conformance,
  Results,
  ScenarioResult,
} from '#scenarios/harness/z-results.ts'
import { describeCheck, listExchanges } from './describe-check.ts'
import { describeFailure, formatDiff } from './describe-failure.ts'
import { summarizeDialectAsMarkdown } from './dialect-section.ts'
import { formatDuration } from './format-duration.ts'
import { cell, fence } from './markdown.ts'
import { formatTally, tallyResults } from './tally-results.ts'
import { checkMeanings, checkOrder, checkWords } from './verdict-names.ts'

export type CheckedResult = ScenarioResult & { readonly check: CheckResult }

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
  return ['| Verdict | Checks | What it says |', '| --- | ---: | --- |', ...rows, ''].join('\n')
}

/** Why a check did not pass, with the rule it is about, how it decides and how to repeat it. */
function explain(result: CheckedResult): string {
  const { check, title, failure, repeat } = result
  const difference = failure && describeFailure(failure)
  const exchanges = listExchanges(result)
  return [
    `### ${checkWords[result.verdict]} ${check.id}: ${cell(title)}`,
    '',
    `**${cell(check.reason)}**`,
    '',
    ...check.rules.flatMap(({ id, text }) => [`> ${cell(text)} (\`${id}\`)`, '']),
    ...describeCheck(check).map(([name, text]) => `- ${name}: ${cell(text)}`),
    '',
    ...(difference === undefined ? [] : [fence(formatDiff(difference), 'diff'), '']),
    ...(exchanges.length === 0 ? [] : [fence(exchanges.join('\n'), 'text'), '']),
    `Again alone: \`${repeat}\``,
    '',
  ].join('\n')
}

const rowOf = ({ check, title, durationMilliseconds }: CheckedResult) =>
  `| ${check.id} | ${check.level} | ${cell(title)} | ${formatDuration(durationMilliseconds)} |`

function renderFolded(passed: readonly CheckedResult[]): string {
  if (passed.length === 0) return ''
  return [
    `<details><summary>PASS: ${passed.length}</summary>`,
    '',
    '| | Level | Title | Time |',
    '| --- | --- | --- | ---: |',
    ...passed.map(rowOf),
    '',
    '</details>',
    '',
  ].join('\n')
}

/**
 * The results of a plan as blocks of Markdown: the target and a table by verdict, then what failed
 * and why, warnings, what was not decided and what is missing to decide it, and what passed, folded.
 */
export function summarizeConformance(results: Results, conformance: Conformance): string[] {
  const tally = tallyResults(results)
  const { startedAt, durationMilliseconds, interrupted, warnings } = results
  const checks = results.scenarios.filter((each): each is CheckedResult => each.check !== undefined)
  const of = (verdict: ScenarioResult['verdict']) =>
    checks.filter((each) => each.verdict === verdict)
  const undecided = of('inconclusive').map(
    ({ check, title }) => `- **${check.id}** ${cell(title)}: ${cell(check.reason)}`,
  )
  return [
    `# ${signOf(tally)} Conformance, plan ${conformance.plan}: ${formatTally(tally, true)}`,
    '',
    renderTarget(conformance),
    `Started ${startedAt}, ${formatDuration(durationMilliseconds)}${interrupted ? ', interrupted' : ''}.`,
    '',
    ...warnings.map((warning) => `> ⚠️ ${cell(warning)}\n`),
    renderTable(results),
    ...of('failed').map(explain),
    ...of('warned').map(explain),
    ...(undecided.length === 0 ? [] : ['### INCONCLUSIVE\n', ...undecided, '']),
    summarizeDialectAsMarkdown(conformance.dialect ?? []),
    renderFolded(of('passed')),
  ]
}

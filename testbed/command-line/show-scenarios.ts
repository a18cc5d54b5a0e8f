import { placeOfParagraph } from '#scenarios/harness/command-line.ts'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import type {
  CheckResult,
  Failure,
  Results,
  ScenarioResult,
  Verdict,
} from '#scenarios/harness/z-results.ts'
import { createResultDetail, type ResultDetail } from '#scenarios/harness/z-run-event.ts'
import { describeFailure, describeValues, formatDiff } from '#scenarios/reports/describe-failure.ts'
import { formatDuration } from '#scenarios/reports/formatting.ts'
import {
  checkWords,
  describeFixes,
  formatTally,
  tallyResults,
} from '#scenarios/reports/verdicts.ts'
import { createPaint, createStatusLine, plainText, type Style } from './terminal.ts'

type ShownResult = Omit<ScenarioResult, 'hops'>

export interface ScenarioDisplayOptions {
  readonly stream: NodeJS.WriteStream
  /** The total number of scenarios. */
  readonly total: number
}

/**
 * Prints scenarios and checks as they end, one per line, and on a terminal also those in progress.
 */
export interface ScenarioDisplay {
  show(progress: Progress): void
  /** Prints failures and totals. */
  finish(results: Results): void
}

const mostDiffLines = 40
const mostRules = 5
const signs: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  inconclusive: '?',
  interrupted: '■',
  'not-run': '·',
}
const colors: Readonly<Record<Verdict, Style>> = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  inconclusive: 'cyan',
  interrupted: 'yellow',
  'not-run': 'gray',
}
const longestWord = Math.max(...Object.values(checkWords).map(({ length }) => length))

export function createScenarioDisplay(options: ScenarioDisplayOptions): ScenarioDisplay {
  const { stream, total } = options
  const status = createStatusLine(stream)
  const underWay = new Map<string, string>()
  let ended = 0
  const paint = createPaint(stream)
  /** The check that had each reason first: one missing answer can leave 100 checks undecided. */
  const firstWith = new Map<string, string>()

  function showStatus(): void {
    const [first] = underWay
    if (first === undefined) return
    const [id, step] = first
    const more = underWay.size > 1 ? ` and ${underWay.size - 1} more` : ''
    const text = `  ${ended}/${total}  ${id}${step === '' ? '' : `: ${step}`}${more}`
    status.show(text)
  }

  /** Formats a check as a line, followed by the reason and the fix if it did not pass. */
  function showCheck({ id, reason }: CheckResult, result: ShownResult): void {
    const { verdict, title } = result
    const word = paint(colors[verdict], checkWords[verdict].padEnd(longestWord))
    const indent = ' '.repeat(longestWord + 2)
    stream.write(`${word}  ${id.padEnd(4)}  ${paint('dim', title)}\n`)
    if (verdict === 'passed') return
    const first = firstWith.get(reason)
    if (verdict === 'inconclusive' && first === undefined) firstWith.set(reason, id)
    const lines =
      first === undefined
        ? [...reason.split('\n'), ...describeValues(result.failure), ...describeFixes(result)]
        : [`For the same reason as ${first}.`]
    const output = lines.map((line) => `${indent}${plainText(line)}\n`)
    stream.write(output.join(''))
  }

  function showResult(result: ShownResult): void {
    const { id, verdict, title, durationMilliseconds, skipReason } = result
    const sign = paint(colors[verdict], signs[verdict])
    const time = formatDuration(durationMilliseconds).padStart(9)
    stream.write(`${sign} ${paint('dim', time)}  ${id}  ${paint('dim', title)}\n`)
    if (skipReason !== undefined) stream.write(`             skipped: ${plainText(skipReason)}\n`)
  }

  return {
    show(progress) {
      status.clear()
      if (progress.kind === 'began') underWay.set(progress.id, '')
      if (progress.kind === 'step') underWay.set(progress.id, progress.title)
      if (progress.kind === 'ended') {
        ended += 1
        underWay.delete(progress.result.id)
        const { check } = progress.result
        if (check) showCheck(check, progress.result)
        else showResult(progress.result)
      }
      showStatus()
    },
    finish(results) {
      status.clear()
      for (const result of results.scenarios)
        if (result.verdict === 'failed') stream.write(explainFailed(result, paint))
      for (const warning of results.warnings) stream.write(`${paint('yellow', `! ${warning}`)}\n`)
      const tally = tallyResults(results)
      const interrupted = results.interrupted ? ', interrupted' : ''
      const counts = formatTally(tally, results.conformance !== undefined)
      const time = formatDuration(results.durationMilliseconds)
      const isOpen = tally.skipped + tally.warned + tally.inconclusive > 0
      const style: Style = tally.failed > 0 ? 'red' : isOpen ? 'yellow' : 'green'
      stream.write(`\n${paint(style, counts)} in ${time}${interrupted}\n`)
    },
  }
}

type Paint = ReturnType<typeof createPaint>

/**
 * A difference of several lines; a difference of one line is already in the failure's message.
 */
function describeDifference(failure: Failure, paint: Paint): string[] {
  const lines = describeFailure(failure) ?? []
  if (lines.length < 3) return []
  const shown = lines.slice(0, mostDiffLines).map((line) => {
    const color = { expected: 'red', found: 'green', both: 'dim' } as const
    return `    ${paint(color[line.kind], formatDiff([line]))}`
  })
  const more = lines.length - shown.length
  return [
    paint('dim', '  - expected, + found:'),
    ...shown,
    ...(more > 0 ? [paint('dim', `    … ${more} more lines are in the report`)] : []),
  ]
}

function describeRule({ name, text, reasons = [], paragraph }: ResultDetail['rules'][number]) {
  return [
    `  Rule: ${name}`,
    ...(text === undefined ? [] : [`    Expected: ${text}`]),
    ...reasons.map((reason) => `    Found: ${plainText(reason)}`),
    ...(paragraph === undefined ? [] : [`    See: ${placeOfParagraph(paragraph)}`]),
  ]
}

/** Why a result failed: expected and found, the rules, and their paragraphs of the profile. */
function explainFailed(result: ScenarioResult, paint: Paint): string {
  const { id, title, failure, repeat, check } = result
  const { expected, rules } = createResultDetail(result)
  const found = check?.reason ?? failure?.message ?? ''
  const lines = [
    '',
    paint('red', `✗ ${check?.id ?? id}: ${title}`),
    ...(failure?.step === undefined ? [] : [`  in the step: ${failure.step}`]),
    ...(expected === title ? [] : [`  Expected: ${expected}`]),
    ...`Found: ${found}`.split('\n').map((line) => `  ${plainText(line)}`),
    ...describeValues(failure).map((line) => `  ${plainText(line)}`),
    ...(failure === undefined ? [] : describeDifference(failure, paint)),
    ...rules.slice(0, mostRules).flatMap(describeRule),
    ...describeFixes(result).map((line) => `  ${line}`),
    paint('dim', `  repeat: ${repeat}`),
  ]
  return `${lines.join('\n')}\n`
}

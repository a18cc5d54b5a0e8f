import { styleText } from 'node:util'
import type { Progress } from '#scenarios/harness/run-scenarios.ts'
import type { Failure, Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { describeFailure, formatDiff } from '#scenarios/reports/describe-failure.ts'
import { formatDuration } from '#scenarios/reports/format-duration.ts'
import { tallyResults } from '#scenarios/reports/tally-results.ts'

type Style = Parameters<typeof styleText>[0]

export interface ScenarioDisplayOptions {
  readonly stream: NodeJS.WriteStream
  /** How many there will be. */
  readonly total: number
}

/** Prints scenarios as they end, one a line, and in a terminal what is under way. */
export interface ScenarioDisplay {
  show(progress: Progress): void
  /** Explains failures and counts. */
  finish(results: Results): void
}

const mostDiffLines = 40
const signs = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  inconclusive: '?',
  interrupted: '■',
  'not-run': '·',
} as const
const colors = {
  passed: 'green',
  failed: 'red',
  warned: 'yellow',
  inconclusive: 'cyan',
  interrupted: 'yellow',
  'not-run': 'gray',
} as const

export function createScenarioDisplay(options: ScenarioDisplayOptions): ScenarioDisplay {
  const { stream, total } = options
  const underWay = new Map<string, string>()
  let ended = 0
  // styleText leaves colours out where the stream is no terminal, and honours NO_COLOR.
  const paint = (style: Style, text: string) => styleText(style, text, { stream })

  function clearStatus(): void {
    if (stream.isTTY) stream.write('\r\u001B[K')
  }

  function showStatus(): void {
    const [first] = underWay
    if (!stream.isTTY || first === undefined) return
    const [id, step] = first
    const more = underWay.size > 1 ? ` and ${underWay.size - 1} more` : ''
    const text = `  ${ended}/${total}  ${id}${step === '' ? '' : `: ${step}`}${more}`
    stream.write(paint('dim', text.slice(0, Math.max(stream.columns - 1, 20))))
  }

  function showResult(result: Omit<ScenarioResult, 'hops'>): void {
    const { id, verdict, title, durationMilliseconds } = result
    const sign = paint(colors[verdict], signs[verdict])
    const time = formatDuration(durationMilliseconds).padStart(9)
    stream.write(`${sign} ${paint('dim', time)}  ${id}  ${paint('dim', title)}\n`)
  }

  /** A difference of several lines; one line is in the failure's message already. */
  function describeDifference(failure: Failure): string[] {
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

  function explain({ id, title, failure, repeat }: ScenarioResult): void {
    const lines = [
      '',
      paint('red', `✗ ${id}: ${title}`),
      ...(failure?.step === undefined ? [] : [`  at the step: ${failure.step}`]),
      ...(failure?.message ?? '').split('\n').map((line) => `  ${line}`),
      ...(failure === undefined ? [] : describeDifference(failure)),
      paint('dim', `  again alone: ${repeat}`),
    ]
    stream.write(`${lines.join('\n')}\n`)
  }

  return {
    show(progress) {
      clearStatus()
      if (progress.kind === 'began') underWay.set(progress.id, '')
      if (progress.kind === 'step') underWay.set(progress.id, progress.title)
      if (progress.kind === 'ended') {
        ended += 1
        underWay.delete(progress.result.id)
        showResult(progress.result)
      }
      showStatus()
    },
    finish(results) {
      clearStatus()
      for (const result of results.scenarios) if (result.verdict === 'failed') explain(result)
      for (const warning of results.warnings) stream.write(`${paint('yellow', `! ${warning}`)}\n`)
      const { passed, failed, skipped } = tallyResults(results)
      const interrupted = results.interrupted ? ', interrupted' : ''
      const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
      const time = formatDuration(results.durationMilliseconds)
      const style: Style = failed > 0 ? 'red' : skipped > 0 ? 'yellow' : 'green'
      stream.write(`\n${paint(style, counts)} in ${time}${interrupted}\n`)
    },
  }
}

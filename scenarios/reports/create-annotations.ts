import type { Results, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { locateFailure } from './locate-failure.ts'

// The runner shows ten errors of a step and drops the others without a word.
const mostErrors = 10

/** Message of a workflow command, by the rules of the actions toolkit (core/src/command.ts). */
const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Property of a workflow command: the two characters that separate properties as well. */
const escapeProperty = (text: string) =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function command(properties: Readonly<Record<string, string | number | undefined>>, text: string) {
  const told = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::error ${told.join(',')}::${escapeData(text)}`
}

function annotate(result: ScenarioResult): string {
  const { id, title, failure, repeat } = result
  const { file, line, column } = locateFailure(result)
  const text = [
    failure?.message ?? 'It failed.',
    ...(failure?.step === undefined ? [] : [`At the step: ${failure.step}`]),
    `Again alone: ${repeat}`,
  ].join('\n')
  return command({ file, line, col: column, title: `${id}: ${title}` }, text)
}

/**
 * Failures as workflow commands of GitHub Actions, one a line: each becomes an annotation at the
 * place in the scenario that failed. Those beyond what a step may show are told of in the last.
 */
export function createAnnotations({ scenarios }: Pick<Results, 'scenarios'>): string[] {
  const failures = scenarios.filter(({ verdict }) => verdict === 'failed')
  if (failures.length <= mostErrors) return failures.map(annotate)
  const shown = failures.slice(0, mostErrors - 1)
  const others = failures.slice(mostErrors - 1).map(({ id }) => id)
  const text = `The job summary and the report have these too:\n${others.join('\n')}`
  return [...shown.map(annotate), command({ title: `${others.length} more failed` }, text)]
}

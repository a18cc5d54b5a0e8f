import {
  isBlocked,
  type Results,
  type ScenarioResult,
  type Verdict,
} from '#scenarios/harness/z-results.ts'
import { describeValues, locateFailure } from './describe-failure.ts'
import { checkWords, describeFixes } from './verdicts.ts'

// The runner shows ten of each kind for a step and silently drops the others.
const mostOfOneKind = 10

type Kind = 'error' | 'warning' | 'notice'

/** Message of a workflow command, by the rules of the actions toolkit (core/src/command.ts). */
const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Property of a workflow command: the two characters that separate properties as well. */
const escapeProperty = (text: string) =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function command(
  kind: Kind,
  properties: Readonly<Record<string, string | number | undefined>>,
  text: string,
) {
  const parameters = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${kind} ${parameters.join(',')}::${escapeData(text)}`
}

/** The error that ended a command. */
export const annotateError = (text: string): string =>
  command('error', { title: 'The command ended with an error' }, text)

function annotateScenario(result: ScenarioResult): string {
  const { id, title, failure, repeat } = result
  const { file, line, column } = locateFailure(result)
  const text = [
    failure?.message ?? 'Failed.',
    ...(failure?.step === undefined ? [] : [`At the step: ${failure.step}`]),
    `Repeat: ${repeat}`,
  ].join('\n')
  return command('error', { file, line, col: column, title: `${id}: ${title}` }, text)
}

const nameOf = ({ id, check }: ScenarioResult) => check?.id ?? id

/** For a check: has no line, because its source is not in the repository under test. */
function annotateCheck(
  kind: Kind,
  result: ScenarioResult,
  alike: readonly ScenarioResult[],
): string {
  const { verdict, check, title, failure, repeat } = result
  const { id = '', reason = '', rules = [] } = check ?? {}
  const text = [
    reason,
    ...describeValues(failure),
    ...(alike.length > 0
      ? [`Inconclusive for the same reason: ${alike.map(nameOf).join(', ')}`]
      : []),
    ...describeFixes(result),
    ...rules.map((rule) => `Rule: ${rule.text}`),
    `Repeat: ${repeat}`,
  ]
  return command(kind, { title: `${checkWords[verdict]} ${id}: ${title}` }, text.join('\n'))
}

function annotateAll(
  { scenarios }: Pick<Results, 'scenarios'>,
  kind: Kind,
  verdict: Verdict,
): string[] {
  const all = scenarios.filter((result) => result.verdict === verdict)
  // One missing answer can leave most checks undecided: others must not go unnoticed.
  const found = [
    ...Map.groupBy(all, ({ id, check }) =>
      verdict === 'inconclusive' ? check?.reason : id,
    ).values(),
  ]
  const annotate = ([result, ...alike]: readonly ScenarioResult[]) => {
    if (result === undefined) return ''
    return result.check ? annotateCheck(kind, result, alike) : annotateScenario(result)
  }
  if (found.length <= mostOfOneKind) return found.map(annotate)
  const shown = found.slice(0, mostOfOneKind - 1)
  const others = found.slice(mostOfOneKind - 1).flatMap((each) => each.map(({ id }) => id))
  const text = `The job summary and the report also contain these:\n${others.join('\n')}`
  const title = `${others.length} more ${verdict}`
  return [...shown.map(annotate), command(kind, { title }, text)]
}

/**
 * Failures as workflow commands of GitHub Actions, one per line: each becomes an annotation at the
 * line of the scenario that failed. Warnings of checks are included, and inconclusive checks as
 * notices. If a step can show no more, the last annotation of its kind counts the rest. A run that
 * fails because most checks are blocked is an error, although none of them failed.
 */
export function createAnnotations({
  warnings = [],
  ...results
}: Pick<Results, 'scenarios' | 'conformance'> & Partial<Pick<Results, 'warnings'>>): string[] {
  const title = 'Most checks have no result'
  return [
    ...(isBlocked(results) ? [command('error', { title }, warnings.join('\n'))] : []),
    ...annotateAll(results, 'error', 'failed'),
    ...annotateAll(results, 'warning', 'warned'),
    ...annotateAll(results, 'notice', 'inconclusive'),
  ]
}

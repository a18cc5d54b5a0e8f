import { cell } from '#scenarios/reports/formatting.ts'
import type { ForeignSystem, Note } from './foreign-system.ts'
import { verdictWords } from './verdict-words.ts'
import type { RecordedFinding, RecordedRun } from './z-record.ts'

/**
 * The page about a third-party system: what its README says, its versions, the verdicts and why, and
 * which revision its messages follow.
 */
export function createSystemPage(
  { name, notes }: ForeignSystem,
  readme: string,
  { versions, findings, dialect }: RecordedRun,
): string {
  const of = (verdict: string) => findings.filter((finding) => finding.verdict === verdict)
  const broken = findings.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned')
  const undecided = of('inconclusive')
  return [
    `<!-- Made by node test/conformance/foreign/record.ts ${name}; do not edit. -->`,
    '',
    readme.trim(),
    '',
    '## What was run',
    '',
    Object.entries(versions)
      .map(([each, version]) => `${each} ${version}`)
      .join(', '),
    '',
    '| Verdict | Checks |',
    '| --- | ---: |',
    ...Object.entries(verdictWords).map(([verdict, word]) => `| ${word} | ${of(verdict).length} |`),
    '',
    ...(broken.length === 0 ? [] : ['## Where it differs', '', ...renderNotes(notes, broken)]),
    ...(undecided.length === 0
      ? []
      : ['## What could not be decided', '', ...renderUndecided(undecided)]),
    '## What it passes',
    '',
    '| Check | |',
    '| --- | --- |',
    ...of('passed').map(({ id, title }) => `| ${id} | ${cell(title)} |`),
    '',
    ...renderDialect(dialect),
  ].join('\n')
}

function renderNotes(notes: readonly Note[], broken: readonly RecordedFinding[]): string[] {
  const rows = broken.map(({ id, level, verdict, title, reason = '' }) => {
    const note = notes.find(({ checks }) => checks.includes(id))
    const why = note ? `${note.cause}: ${note.text}` : ''
    return `| ${verdictWords[verdict]} | ${id} | ${level ?? ''} | ${cell(title)} | ${cell(reason)} | ${cell(why)} |`
  })
  return [
    '| | Check | Level | | What was found | Why |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ]
}

/** What is missing, with the checks that miss it. */
function renderUndecided(undecided: readonly RecordedFinding[]): string[] {
  const reasons = Map.groupBy(undecided, ({ reason = '' }) => reason)
  const rows = [...reasons].map(
    ([reason, findings]) => `| ${findings.map(({ id }) => id).join(', ')} | ${cell(reason)} |`,
  )
  return ['| Checks | What is missing |', '| --- | --- |', ...rows, '']
}

function renderDialect(dialect: RecordedRun['dialect']): string[] {
  if (dialect.length === 0) return []
  const rows = dialect.flatMap(({ kind, members }) =>
    members.map(
      ({ path, follows, documents = 'the same' }) =>
        `| ${kind} | ${cell(path)} | ${cell(follows)} | ${cell(documents)} |`,
    ),
  )
  return [
    '## Which revision its messages follow',
    '',
    '| Message | Member | Follows | The profile has |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ]
}

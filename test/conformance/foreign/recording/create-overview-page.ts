import { verdictWords } from './verdict-words.ts'
import type { RecordedRun } from './z-record.ts'

export interface RecordedSystem {
  readonly name: string
  readonly readme: string
  readonly record: RecordedRun
}

/** Returns the page that lists all third-party systems with their results. */
export function createOverviewPage(systems: readonly RecordedSystem[]): string {
  const verdicts = Object.entries(verdictWords)
  const rows = systems.map(({ name, readme, record: { versions, findings } }) => {
    const title = readme.split('\n')[0]?.replace(/^# /, '') ?? name
    const counts = verdicts.map(
      ([verdict]) => findings.filter((finding) => finding.verdict === verdict).length,
    )
    const [main = '', version = ''] = Object.entries(versions)[0] ?? []
    return `| [${title}](${name}.md) | ${main} ${version} | ${counts.join(' | ')} |`
  })
  return [
    '<!-- Made by node test/conformance/foreign/record.ts; do not edit. -->',
    '',
    '# Third-party systems',
    '',
    'Systems built from third-party packages, and the results of the conformance kit for them. Each system is in `test/conformance/foreign/` with a target file, so you can run it again. `npm run test:full` runs all of them except Credo, and fails if a verdict differs from the recorded one. A FAIL or WARN here is a difference from the profile of this ecosystem, not a flaw in packages that follow another revision: each page gives the cause, and the revision that each message follows.',
    '',
    `| System | Version | ${verdicts.map(([, word]) => word).join(' | ')} |`,
    `| --- | --- | ${verdicts.map(() => '---:').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n')
}

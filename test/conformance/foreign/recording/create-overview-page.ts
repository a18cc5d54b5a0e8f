import { verdictWords } from './verdict-words.ts'
import type { RecordedRun } from './z-record.ts'

export interface RecordedSystem {
  readonly name: string
  readonly readme: string
  readonly record: RecordedRun
}

/** The page that lists all foreign systems and how they fared. */
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
    '# Foreign systems',
    '',
    'Systems that are made of what other people wrote, and what the conformance kit finds about them. Each stands in `test/conformance/foreign/` with a target file, so that anybody can run it again; `npm test` does, Credo apart, and fails where a verdict is not the recorded one. A FAIL or WARN here is a difference from the profile of this ecosystem, not a flaw in packages that follow another revision: each page says which it is, and which revision every message follows.',
    '',
    `| System | Version | ${verdicts.map(([, word]) => word).join(' | ')} |`,
    `| --- | --- | ${verdicts.map(() => '---:').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n')
}

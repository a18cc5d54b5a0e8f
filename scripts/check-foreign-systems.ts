// Compares docs/reference/foreign-systems with the records of the third-party systems, and the
// records with the notes about their causes. With --write it updates the pages.

import { createPages } from '#test/conformance/foreign/recording/create-pages.ts'
import { foreignSystems } from '#test/conformance/foreign/recording/foreign-systems.ts'
import { readRecord } from '#test/conformance/foreign/recording/recorded-runs.ts'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'

const problems: string[] = []
for (const { name, notes } of foreignSystems) {
  const { findings } = await readRecord(name)
  const broken = findings.filter(({ verdict }) => ['failed', 'warned'].includes(verdict))
  const found = broken.map(({ id }) => id)
  const explained = notes.flatMap(({ checks }) => checks)
  for (const id of found.filter((each) => !explained.includes(each))) {
    problems.push(`${name}: no note gives the cause of ${id}`)
  }
  for (const { checks } of notes.filter((note) => !note.checks.some((id) => found.includes(id)))) {
    problems.push(`${name}: none of the checks of a note fails or warns: ${checks.join(', ')}`)
  }
}
const pages = Object.entries(await createPages()).map(([file, page]) => [
  `docs/reference/foreign-systems/${file}`,
  page,
])
problems.push(...keepGenerated(Object.fromEntries(pages)))
reportProblems(problems, 'Each FAIL and WARN of a third-party system has its cause.')

// Compares docs/reference/foreign-systems with the records of the third-party systems, and the
// records with the notes about their causes. With --write it updates the pages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPages, pagesFolder } from '#test/conformance/foreign/recording/create-pages.ts'
import { foreignSystems } from '#test/conformance/foreign/recording/foreign-systems.ts'
import { readRecord } from '#test/conformance/foreign/recording/read-record.ts'

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
for (const [file, page] of Object.entries(await createPages())) {
  const path = join(pagesFolder, file)
  if (existsSync(path) && readFileSync(path, 'utf8') === page) continue
  if (process.argv.includes('--write')) {
    mkdirSync(pagesFolder, { recursive: true })
    writeFileSync(path, page)
    console.log(`${file} written.`)
  } else {
    problems.push(`${file} is out of date: run node scripts/check-foreign-systems.ts --write`)
  }
}
for (const problem of problems) console.log(problem)
if (problems.length === 0) console.log('Each FAIL and WARN of a third-party system has its cause.')
process.exitCode = problems.length === 0 ? 0 : 1

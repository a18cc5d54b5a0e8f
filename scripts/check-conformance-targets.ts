// Holds the tables of docs/reference/conformance-targets.md against the schemas of targets; with --write it
// writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { planNames } from '#conformance/kit/check.ts'
import { shapeOf, targetSchemaOf } from '#conformance/targets/target-shape.ts'
import { createMemberTables } from './conformance-targets/create-member-tables.ts'

const documentFile = 'docs/reference/conformance-targets.md'
const path = join(dirname(import.meta.dirname), documentFile)
const heading = '## Members\n'

const shapes = new Map(
  await Promise.all(
    planNames.map(async (plan) => [plan, shapeOf(await targetSchemaOf(plan))] as const),
  ),
)
const found = readFileSync(path, 'utf8')
const prose = found.slice(0, found.indexOf(heading))
const document = `${prose}${heading}\n${createMemberTables(shapes)}\n`
if (found === document) {
  console.log('The members of targets are as their schemas say.')
} else if (process.argv.includes('--write')) {
  writeFileSync(path, document)
  console.log(`${documentFile} written.`)
} else {
  console.log(
    `${documentFile} is out of date: run node scripts/check-conformance-targets.ts --write`,
  )
  process.exitCode = 1
}

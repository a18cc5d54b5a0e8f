import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statements } from '#core/profile/statements.ts'
import { loadScenarios } from '#scenarios/harness/select-scenarios.ts'

const repository = join(import.meta.dirname, '../..')

/** Headings of both documents (`1.errors`, `2.endpoints/tir`), each with how many rows it has. */
const headings = new Map<string, number>()
for (const id of statements.keys()) {
  const heading = id.slice(0, id.lastIndexOf('.'))
  headings.set(heading, (headings.get(heading) ?? 0) + 1)
}

const slugOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The heading that `Endpoints, Credential Issuer, rows 5, 7` or `Verification session (IDP)` names. */
function findHeading(document: string, section: string): string | undefined {
  const parts = section.replaceAll(/ \([^)]*\)/g, '').split(', ')
  const [first = '', second = ''] = parts.map(slugOf)
  const ofDocument = [...headings.keys()].filter((heading) => heading.startsWith(`${document}.`))
  const ends = [`.${first}/${second}`, `/${first}`, `.${first}`]
  return ends.flatMap((end) => ofDocument.filter((heading) => heading.endsWith(end)))[0]
}

const rowsOf = (section: string) =>
  (section.match(/\brows? (\d+(?:(?:, | to )\d+)*)/)?.[1]?.match(/\d+/g) ?? []).map(Number)

// What a deviating wallet breaks is told by the fault, in the document's words.
const scenarios = (await loadScenarios()).filter(({ id }) => !id.includes('/deviating-wallet-'))
const references = scenarios.flatMap(({ id, references }) =>
  references.map((reference) => ({ id, ...reference })),
)
const assumptions = readFileSync(join(repository, 'docs/assumptions.md'), 'utf8')

describe('the references of the scenarios', () => {
  it('name headings and rows that the documents have', () => {
    const wrong = references.filter(({ document, section }) => {
      const number = document.match(/^Document ([12])$/)?.[1]
      if (number === undefined) return false
      const count = headings.get(findHeading(number, section) ?? '') ?? 0
      return count === 0 || rowsOf(section).some((row) => row < 1 || row > count)
    })
    expect(wrong).toEqual([])
  })

  it('name assumptions that there are', () => {
    const named = references.flatMap(({ document, section }) =>
      document === 'Assumptions' ? section.split(/, | to /) : [],
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter((each) => !/^A-\d\d$/.test(each) || !assumptions.includes(each))).toEqual(
      [],
    )
  })

  it('give the rows of the tables of states and errors', () => {
    const tables = /^(States and transitions|Errors)$/
    expect(references.filter(({ section }) => tables.test(section))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import {
  findUnknownCitations,
  headingsOf,
} from '../../../scripts/profile/find-unknown-citations.ts'
import {
  findProfileGaps,
  parseStatements,
  sortStatements,
} from '../../../scripts/profile/read-profile.ts'

const mark = (id: string, text: string) => `<a id="${id}"></a>${text} <sub>${id}</sub>`
const idsOf = (ids: readonly string[]) => ids.map((id) => ({ id, page: 'tir', text: 'text' }))

describe('parseStatements', () => {
  const textOf = (line: string) => parseStatements('tir', line).statements[0]?.text

  it('reads paragraphs, list items and table rows as plain text', () => {
    expect(textOf(mark('2.limits.1', 'See [the **limits**](x.md#y) of `page`.'))).toBe(
      'See the limits of page.',
    )
    expect(textOf(`- ${mark('2.limits.1', 'An item.')}`)).toBe('An item.')
    expect(textOf(`| ${mark('2.limits.1', '`GET /health` | none | - | 200 \\| 503')} |`)).toBe(
      'GET /health · none · - · 200 | 503',
    )
  })

  it('separates the statements of a line', () => {
    const line = `${mark('2.limits.1', 'One.')} ${mark('2.limits.2', 'Two.')}`
    expect(parseStatements('tir', line)).toEqual({
      statements: [
        { id: '2.limits.1', page: 'tir', text: 'One.' },
        { id: '2.limits.2', page: 'tir', text: 'Two.' },
      ],
      problems: [],
    })
  })

  it.each([
    ['<a id="limits"></a>Text. <sub>limits</sub>', '"limits" is not a statement id'],
    ['<a id="2.limits.1"></a>Text.', 'does not end with <sub>2.limits.1</sub>'],
    [mark('2.limits.1', ''), 'is empty'],
  ])('reports %s', (line, problem) => {
    expect(parseStatements('tir', line).problems).toEqual([expect.stringContaining(problem)])
  })
})

describe('findProfileGaps', () => {
  it('accepts sections that count from 1', () => {
    expect(findProfileGaps(idsOf(['1.limits.2', '1.limits.1', '2.endpoints/tir.1']))).toEqual([])
  })

  it('reports duplicates and skipped numbers', () => {
    expect(findProfileGaps(idsOf(['1.limits.1', '1.limits.1', '1.limits.3']))).toEqual([
      '1.limits.1 appears 2 times: tir, tir',
      '1.limits.2 has no paragraph in docs/profile',
    ])
  })

  it('sorts by section, then by number', () => {
    const sorted = sortStatements(idsOf(['2.limits.1', '1.limits.10', '1.limits.9']))
    expect(sorted.map(({ id }) => id)).toEqual(['1.limits.9', '1.limits.10', '2.limits.1'])
  })
})

describe('findUnknownCitations', () => {
  const headings = new Map([['tir', headingsOf('# TIR\n\n## Errors\n\n### `setData`\n')]])
  const find = (text: string) => findUnknownCitations(headings, [{ file: 'a.ts', text }])

  it('accepts existing pages and headings, also across the lines of a comment', () => {
    expect(find('(profile/tir, Errors) and `core/profile/statements.ts`, ./profile/x.ts')).toEqual(
      [],
    )
    expect(find('profile/tir, setData: the body')).toEqual([])
    expect(
      find('/**\n * See (profile/tir,\n * Errors 3), and profile/tir, which is a page\n */'),
    ).toEqual([])
  })

  it.each([
    ['(profile/tri, Errors)', 'a.ts cites profile/tri, which docs/profile does not have'],
    ['(profile/tir, Limits)', 'a.ts cites profile/tir, Limits, which is not a heading'],
    ['(profile/tir, ErrorsOf)', 'a.ts cites profile/tir, ErrorsOf, which is not a heading'],
    [' * profile/tir,\n * GET /x', 'a.ts cites profile/tir, GET /x, which is not a heading'],
  ])('reports %s', (text, problem) => {
    expect(find(text)).toEqual([problem])
  })
})

import { describe, expect, it } from 'vitest'
import { createImageTable, renderMarkdown } from '#scenarios/reports/result-sections.ts'
import { createScenarioResult } from '#test/support/results.ts'

const megabyte = 1024 * 1024
const image = (character: string, megabytes: number) => ({
  name: 'Page',
  mimeType: 'image/png',
  base64: character.repeat(megabytes * megabyte),
  step: 1,
})
const [large, small, ofFailure] = [image('A', 3), image('B', 1), image('C', 2)]
const scenarios = [
  createScenarioResult({ attachments: [large, small] }),
  createScenarioResult({ verdict: 'failed', attachments: [ofFailure, ofFailure] }),
]

describe('createImageTable', () => {
  it('keeps a page to a size by leaving images out, those of what failed last of all', () => {
    const { numberOf, images } = createImageTable(scenarios)
    expect([ofFailure, small, large].map(numberOf)).toEqual([0, 1, undefined])
    expect(images).toEqual([ofFailure.base64, small.base64])
  })

  it('takes no documents', () => {
    const text = { ...small, mimeType: 'text/html' }
    const { images } = createImageTable([createScenarioResult({ attachments: [text] })])
    expect(images).toEqual([])
  })
})

describe('renderMarkdown', () => {
  it.each([
    ['paragraphs', 'one\nline\n\ntwo', '<p>one\nline</p><p>two</p>'],
    ['inline forms', '`a` **b** *c*', '<p><code>a</code> <strong>b</strong> <em>c</em></p>'],
    ['a list', '- one\n- two\n  more', '<ul><li>one</li><li>two\n  more</li></ul>'],
    ['a numbered list', '1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    ['a link', '[x](https://a.b/c)', '<p><a href="https://a.b/c">x</a></p>'],
    ['markup as text', '<script>`<b>`', '<p>&lt;script&gt;<code>&lt;b&gt;</code></p>'],
    ['no address but http', '[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ])('renders %s', (_, text, expected) => {
    expect(renderMarkdown(text).markup).toBe(expected)
  })
})

import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '#scenarios/reports/render-markdown.ts'

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

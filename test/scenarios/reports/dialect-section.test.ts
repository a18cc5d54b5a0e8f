import { describe, expect, it } from 'vitest'
import { dialectSection, summarizeDialectAsMarkdown } from '#scenarios/reports/dialect-section.ts'

const summaries = [
  {
    kind: 'credential-request',
    messages: 2,
    members: [
      { path: 'types', follows: 'OpenID4VCI up to draft 11', clause: 'Document 1' },
      {
        path: 'x<b>|y.types',
        follows: 'OpenID4VCI 1.0',
        clause: 'Document 1',
        documents: 'types stands in the entry itself',
      },
    ],
  },
]

describe('the dialect in reports', () => {
  it('says of each member which revision it follows and what is documented instead', () => {
    const { markup } = dialectSection(summaries) ?? { markup: '' }
    expect(markup).toContain('credential-request, 2 messages')
    expect(markup).toContain('departs: types stands in the entry itself')
    expect(markup).toContain('<code>x&lt;b&gt;|y.types</code>')
    expect(summarizeDialectAsMarkdown(summaries)).toContain(
      '| credential-request, 2 messages | x\\<b\\>\\|y.types | OpenID4VCI 1.0 | departs: types stands in the entry itself |',
    )
  })

  it('is left out where nothing was to be told', () => {
    expect(dialectSection([])).toBeUndefined()
    expect(summarizeDialectAsMarkdown([])).toBe('')
  })
})

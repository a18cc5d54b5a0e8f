import { describe, expect, it } from 'vitest'
import {
  fillExamples,
  findExampleIds,
  formatJson,
  renderExchange,
} from '../../../../scripts/profile/examples/render-example.ts'

describe('formatJson', () => {
  it('splits an object only if it does not fit on one line', () => {
    const value = { short: { a: [1, 2], b: {} }, long: ['x'.repeat(60), 'y'.repeat(40)] }
    expect(formatJson(value)).toBe(`{
  "short": { "a": [1, 2], "b": {} },
  "long": [
    "${'x'.repeat(60)}",
    "${'y'.repeat(40)}"
  ]
}`)
    expect(JSON.parse(formatJson(value))).toEqual(value)
  })
})

describe('renderExchange', () => {
  it('shows forms and long addresses with a line for each parameter', () => {
    const rendered = renderExchange({
      method: 'POST',
      url: `/token?${new URLSearchParams({ one: 'x'.repeat(60), other: 'y'.repeat(30) })}`,
      host: 'issuer.example',
      status: 200,
      requestHeaders: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': 'k…' },
      requestBody: { grant_type: 'urn:a', code: 'abc…' },
      responseHeaders: { 'content-type': 'image/png' },
      responseBody: '<2035 bytes image/png>',
    })
    expect(rendered).toBe(`\`\`\`http
POST /token
  ?one=${'x'.repeat(60)}
  &other=${'y'.repeat(30)} HTTP/1.1
Host: issuer.example
Content-Type: application/x-www-form-urlencoded
x-api-key: k…

grant_type=urn%3Aa
&code=abc…
\`\`\`

\`\`\`http
HTTP/1.1 200 OK
Content-Type: image/png

(image/png)
\`\`\``)
  })
})

describe('fillExamples', () => {
  const page = 'Text\n\n<!-- example: one -->\nold\n<!-- /example -->\n\nMore\n'

  it('replaces only the text between the markers', () => {
    expect(findExampleIds(page)).toEqual(['one'])
    const filled = fillExamples(page, new Map([['one', 'new']]))
    expect(filled).toBe('Text\n\n<!-- example: one -->\n\nnew\n\n<!-- /example -->\n\nMore\n')
    expect(fillExamples(filled, new Map([['one', 'new']]))).toBe(filled)
  })

  it('rejects a page that names an unknown example', () => {
    expect(() => fillExamples(page, new Map())).toThrow(RangeError)
  })
})

import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createNormalizer } from '../../../scripts/profile/examples/normalize-messages.ts'
import {
  fillExamples,
  findExampleIds,
  formatJson,
  renderExchange,
} from '../../../scripts/profile/examples/render-example.ts'
import {
  findProfileGaps,
  findUnknownCitations,
  headingsOf,
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

const startedAt = 1_795_390_296.4
const create = () =>
  createNormalizer({
    origins: new Map([['http://127.0.0.1:35433', 'https://issuer.example']]),
    roles: new Map([['did:org:uc-pre:z1UYyBYbN2ocKwJq6RyBYpCKTaAX', 'Issuer']]),
    startedAt,
  })
const token = () => randomBytes(32).toString('base64url')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A message as a run has it: every value below differs between two runs. */
function createMessage(delay: number) {
  const [nonce, uuid] = [token(), randomUUID()]
  const hash = randomBytes(32).toString('hex')
  return {
    c_nonce: nonce,
    access_token: `${token().slice(0, 8)}…`,
    request_uri: `http://127.0.0.1:35433/requests/${token()}`,
    link: `openid4vp://?request_uri=http%3A%2F%2F127.0.0.1%3A35433%2Frequests%2F${token()}`,
    location: `/callback?code=${token().slice(0, 8)}…&state=${token()}`,
    revisionId: `0x${hash}`,
    attribute: `http://127.0.0.1:35433/attributes/${hash}`,
    credential_id: `urn:uuid:${uuid}`,
    email: `ana.${uuid.slice(0, 8)}ab@example.org`,
    iat: Math.floor(startedAt) + delay,
    exp: Math.floor(startedAt) + delay + 300,
    path: `/identifiers/did?valid-at=${Math.floor(startedAt) + delay}`,
    update_at: new Date((startedAt + delay) * 1000).toISOString(),
    gasLimit: `0x${randomBytes(3).toString('hex')}`,
    jwt: `${encode({ alg: 'ES256K', nonce })}.${encode({ nonce })}.${token()}`,
    proof: { nonce },
  }
}

describe('the normalizer of examples', () => {
  it('creates the same message in two runs', () => {
    const first = create()(createMessage(0))
    expect(create()(createMessage(40))).toEqual(first)
    expect(JSON.stringify(first)).not.toContain('127.0.0.1')
  })

  it('gives equal values equal placeholders, and different values different ones', () => {
    const normalize = create()
    const one = normalize(createMessage(0)) as ReturnType<typeof createMessage>
    const other = normalize(createMessage(0)) as ReturnType<typeof createMessage>
    expect(one.proof.nonce).toBe(one.c_nonce)
    expect(one.attribute).toBe(`https://issuer.example/attributes/${one.revisionId.slice(2)}`)
    expect(other.c_nonce).not.toBe(one.c_nonce)
    expect(other.credential_id).not.toBe(one.credential_id)
  })

  it('keeps the differences between times', () => {
    const { iat, exp, update_at } = create()(createMessage(20)) as ReturnType<typeof createMessage>
    expect([exp - iat, new Date(iat * 1000).toISOString()]).toEqual([300, update_at])
  })

  it('keeps short strings, small numbers and fixed values of the protocol', () => {
    const message = { token_type: 'Bearer', expires_in: 3600, types: ['OrgPortalLearCredential'] }
    expect(create()(message)).toEqual(message)
  })

  it('keeps the beginning of a status list, which shows its encoding', () => {
    const message = { encodedList: `uH4sIAAAAAAAA${token()}` }
    expect(create()(message)).toEqual({ encodedList: 'uH4sIAAAAA…' })
  })

  it('names DIDs by their role', () => {
    const did = 'did:org:uc-pre:z1UYyBYbN2ocKwJq6RyBYpCKTaAX'
    expect(create()(did)).toBe('did:org:uc-pre:z1Issuer…')
    expect(create()(`/identifiers/${encodeURIComponent(did)}`)).toBe(
      '/identifiers/did%3Aorg%3Auc-pre%3Az1Issuer…',
    )
  })
})

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

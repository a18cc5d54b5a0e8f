import { describe, expect, it } from 'vitest'
import { send } from './http.ts'

/** A body that no endpoint may accept, derived from a valid body. */
export interface HostileBody {
  readonly name: string
  /** The expected status of the endpoint, if it is not 400. */
  readonly status?: 413 | 415
  readonly headers?: Readonly<Record<string, string>>
  make(valid: object): string | Uint8Array<ArrayBuffer>
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text))
const textOf = (valid: object) => JSON.stringify(valid)
const firstName = (valid: object) => Object.keys(valid)[0] ?? ''
/** Returns the valid body with further members in front. */
const withMembers = (valid: object, members: string) => `{${members},${textOf(valid).slice(1)}`
const withoutMembers = (valid: object, member: string) =>
  `{${JSON.stringify(member)}:${textOf(valid)}}`

/** JSON, and data that only resembles it, that every endpoint with a body must reject. */
export const hostileBodies: readonly HostileBody[] = [
  { name: 'nothing', make: () => '' },
  { name: 'white space', make: () => ' \n' },
  { name: 'half of it', make: (valid) => textOf(valid).slice(0, -3) },
  { name: 'two of it', make: (valid) => textOf(valid) + textOf(valid) },
  { name: 'a comment in it', make: (valid) => `${textOf(valid)}// comment` },
  { name: 'a trailing comma', make: (valid) => `${textOf(valid).slice(0, -1)},}` },
  { name: 'single quotes', make: (valid) => textOf(valid).replaceAll('"', "'") },
  { name: 'NaN', make: (valid) => withMembers(valid, '"nan":NaN') },
  { name: 'a raw line break in a string', make: (valid) => withMembers(valid, '"a":"\n"') },
  { name: 'a raw NUL', make: (valid) => withMembers(valid, '"a":"\u0000"') },
  { name: 'a NUL behind it', make: (valid) => `${textOf(valid)}\u0000` },
  { name: 'a byte order mark', make: (valid) => `\ufeff${textOf(valid)}` },
  {
    name: 'bytes that are not UTF-8',
    make: (valid) => {
      const bytes = bytesOf(withMembers(valid, '"a":"?"'))
      bytes[bytes.indexOf(0x3f)] = 0xff
      return bytes
    },
  },
  {
    name: 'a member twice',
    make: (valid) => withMembers(valid, `${JSON.stringify(firstName(valid))}:"x"`),
  },
  {
    name: 'a member twice, once by an escape',
    make: (valid) => {
      const code = firstName(valid).charCodeAt(0).toString(16).padStart(4, '0')
      return withMembers(valid, `"\\u${code}${firstName(valid).slice(1)}":"x"`)
    },
  },
  {
    name: 'endless nesting of lists',
    make: (valid) => withMembers(valid, `"a":${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  },
  {
    name: 'endless nesting of objects',
    make: (valid) => withMembers(valid, `"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  },
  { name: 'endless nesting that never ends', make: () => '['.repeat(100_000) },
  { name: 'its members below __proto__', make: (valid) => withoutMembers(valid, '__proto__') },
  { name: 'its members below constructor', make: (valid) => withoutMembers(valid, 'constructor') },
  { name: 'its members below prototype', make: (valid) => withoutMembers(valid, 'prototype') },
  { name: 'a huge number', make: () => `1${'0'.repeat(400)}` },
  { name: 'a number beyond all numbers', make: () => '1e999999' },
  { name: 'a string', make: (valid) => JSON.stringify(textOf(valid)) },
  { name: 'null', make: () => 'null' },
  { name: 'a boolean', make: () => 'true' },
  { name: 'an empty object', make: () => '{}' },
  { name: 'an empty list', make: () => '[]' },
  {
    name: 'more bytes than any endpoint takes',
    status: 413,
    make: (valid) => withMembers(valid, `"a":"${'a'.repeat(2 * 1024 * 1024)}"`),
  },
  {
    name: 'a form',
    status: 415,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    make: (valid) => new URLSearchParams({ body: textOf(valid) }).toString(),
  },
  ...[
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=utf-7',
    'application/json; charset=x',
    'application/jsonx',
    'nonsense',
  ].map(
    (type): HostileBody => ({
      name: `the content type ${type}`,
      status: 415,
      headers: { 'content-type': type },
      make: textOf,
    }),
  ),
  {
    name: 'an unknown content encoding',
    status: 415,
    headers: { 'content-encoding': 'x-unknown' },
    make: textOf,
  },
  { name: 'what gzip did not make', headers: { 'content-encoding': 'gzip' }, make: textOf },
]

/** Values that are not strings, or that no member of the registries' bodies may have. */
export const wrongTexts: readonly unknown[] = [
  null,
  0,
  1,
  -1,
  1.5,
  true,
  false,
  {},
  [],
  [''],
  { toString: 'x' },
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
]

/** Values that are not a time, or out of its range. */
const wrongTimes: readonly unknown[] = [null, '', '1', true, {}, [], [1], -1, 1.5, 2 ** 53, 1e300]

/**
 * Returns a body with each member omitted, and with each of the values above in its place. A `free`
 * member may be any string that is not blank.
 */
export function changeMembers(
  valid: Readonly<Record<string, unknown>>,
  free: readonly string[] = [],
): { readonly name: string; readonly body: object }[] {
  return Object.entries(valid).flatMap(([member, given]) => {
    const { [member]: _, ...rest } = valid
    const texts = free.includes(member) ? wrongTexts.filter((text) => !isWord(text)) : wrongTexts
    const values = typeof given === 'number' ? wrongTimes : texts
    return [
      { name: `no ${member}`, body: rest },
      ...values.map((value) => ({
        name: `${member} of ${JSON.stringify(value)}`,
        body: { ...valid, [member]: value },
      })),
    ]
  })
}

const isWord = (value: unknown) => typeof value === 'string' && /^\w+$/.test(value)

/** Returns bodies with each string member longer, shorter, surrounded by spaces, and with a NUL appended. */
export function changeLengths(
  valid: Readonly<Record<string, unknown>>,
  members: readonly string[],
): { readonly name: string; readonly body: object }[] {
  return members.flatMap((member) => {
    const text = String(valid[member])
    const last = text.slice(-1)
    const changes: Readonly<Record<string, string>> = {
      'a character more': text + last,
      'two characters more': text + last + last,
      'a character less': text.slice(0, -1),
      'two characters less': text.slice(0, -2),
      'a blank before it': ` ${text}`,
      'a blank behind it': `${text} `,
      'a line break behind it': `${text}\n`,
      'a NUL behind it': `${text}\u0000`,
      'no 0x or other prefix': text.slice(2),
      'a foreign character': `${text.slice(0, -1)}é`,
      'its length ten thousandfold': text.repeat(10_000).slice(0, 500_000),
    }
    return Object.entries(changes).map(([how, value]) => ({
      name: `${member} with ${how}`,
      body: { ...valid, [member]: value },
    }))
  })
}

/** An endpoint that accepts JSON by POST, and a valid body for it. */
export interface HostileEndpoint {
  readonly path: string
  readonly headers: () => Record<string, string>
  readonly valid: Readonly<Record<string, unknown>>
  /** Bytes. By default more than every body here except one. */
  readonly limit?: number
  /** Members that may be any string. */
  readonly free?: readonly string[]
  /** Members may be missing, and some may have any value. */
  readonly lax?: boolean
}

/** A rejection with the status and members of the service's error form, without internals. */
export async function expectRefusal(
  response: Response,
  { status, members, what }: { status: number; members: readonly string[]; what: string },
): Promise<void> {
  const text = await response.text()
  expect([what, response.status]).toEqual([what, status])
  expect(Object.keys(JSON.parse(text)), what).toEqual(expect.arrayContaining([...members]))
  expect(text).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/)
}

/** A status below 500, without internals of the service. */
export async function expectNoFault(response: Response, what: string): Promise<void> {
  expect([what, response.status >= 500]).toEqual([what, false])
  expect(await response.text()).not.toMatch(/node_modules|\.ts:\d+/)
}

/** Sends invalid requests to every endpoint. `members` are those of the service's error form. */
export function describeHostileRequests(
  baseUrl: string,
  endpoints: readonly HostileEndpoint[],
  members: readonly string[],
): void {
  describe.each(endpoints)('$path with hostile input', (endpoint) => {
    const { path, headers, valid, free, limit = 1_048_576, lax = false } = endpoint
    const url = baseUrl + path

    // @row 1.endpoints.1
    it.each(hostileBodies)('rejects $name', async ({ name, status = 400, headers: own, make }) => {
      const body = make(valid)
      const expected = body.length > limit ? 413 : status
      const response = await send(url, { body, headers: { ...headers(), ...own } })
      await expectRefusal(response, { status: expected, members, what: name })
    })

    it('returns 4xx for members that are missing or of the wrong type', async () => {
      for (const { name, body } of changeMembers(valid, free)) {
        const response = await send(url, { json: body, headers: headers() })
        await expectNoFault(response, name)
        if (!lax) expect([name, response.status >= 400]).toEqual([name, true])
      }
    })

    it('survives other methods, unusual Accept headers and unusual paths', async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
        const { status } = await fetch(url, { method, headers: headers() })
        expect([method, status]).toEqual([method, 405])
      }
      for (const accept of ['', 'image/webp', 'text/html;q=2', '*/*;q=0', 'x'.repeat(4000), ';;']) {
        const { status } = await send(url, { body: '{}', headers: { ...headers(), accept } })
        expect([accept, status]).toEqual([accept, 400])
      }
      for (const end of ['/', '//', '/%00', '/%ff', '/..%2f', '?a[b]=c', '/x'.repeat(2000)]) {
        await expectNoFault(await send(url + end, { json: valid, headers: headers() }), end)
      }
    })
  })
}

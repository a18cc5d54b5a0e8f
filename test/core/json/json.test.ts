import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import { plainIssues, plainReasons } from '#core/json/plain-issues.ts'
import { findJsonProblem } from '#core/json/read-json.ts'
import { linearGrowth, measureGrowth, workOf } from '#test/support/timing.ts'

// The token of RFC 7515, appendix A.1.
const header = 'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9'
const payload =
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'
const signature = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const token = `${header}.${payload}.${signature}`

describe('masking', () => {
  it('keeps header and payload of a token and truncates its signature', () => {
    expect(maskSecrets({ vp_token: token })).toEqual({ vp_token: `${header}.${payload}.…` })
    for (const before of ['Bearer ', '-', '_', 'a', 'www.example.', '=']) {
      expect(maskText(before + token)).toBe(`${before}${header}.${payload}.…`)
    }
  })

  it.each([
    'eyJ-',
    'eyJa',
    'eyJa.',
    '-eyJa.a',
    'ticket=',
    '?code=',
    'pin=a&',
    'a://b:',
    'a+',
    'password',
    'tx_code: a',
    'ticket%3DeyJ',
    '"ticket":"%22ticket%22:…',
    '\\"pin\\":\\"\\',
    '"p":"a",',
    '%5C%5C%5C%22',
    ' :',
    'csrf-',
    '"pin":[',
    '"pin":["a",',
    '"pin":[\\n',
    '"pin":[[',
    '"pin":[["a"],[',
    '"pin":["a"]]',
    '"pin":{"value"  ',
    'pin[a][',
    '&pin%5B',
  ])('takes linear time for %s over and over', (text) => {
    const create = (size: number) => text.repeat(size / text.length)
    expect(measureGrowth(create, maskText)).toBeLessThan(linearGrowth)
    const named = (size: number) => ({ [create(size)]: create(size) })
    expect(measureGrowth(named, maskSecrets)).toBeLessThan(linearGrowth)
  })

  it.each([
    ['authorization', 'Basic c2VjcmV0'],
    ['client_secret', 'swordfish'],
    ['password', 'swordfish'],
    ['current_password', 'swordfish'],
    ['tx_code', '493536'],
    ['privateKey', '0x4c0883a6'],
    ['x-api-key', 'swordfish'],
  ])('replaces %s in every place', (name, value) => {
    expect(JSON.stringify(maskSecrets({ list: [{ [name]: value }] }))).not.toContain(value)
  })

  it.each([
    'https://party.example/callback?code=uBhCqe8TJfO2nM3x&state=x',
    'https://party.example/callback?state=x&code=uBhCqe8TJfO2nM3x',
    'openid-credential-offer://?credential_offer=%7B%22pre-authorized_code%22%3A%22uBhCqe8TJfO2nM3x%22%7D',
    'pre-authorized_code=uBhCqe8TJfO2nM3x&tx_code=1',
    '/login/5CdY/broker?ticket=uBhCqe8TJfO2nM3x',
    '/credential?access_token=uBhCqe8TJfO2nM3x',
    '{"acceptance_token":"uBhCqe8TJfO2nM3x"',
  ])('shortens the code in %s', (text) => {
    expect(maskText(text)).toContain('uBhCqe8T…')
    expect(maskText(text)).not.toContain('uBhCqe8TJfO2nM3x')
  })

  it.each(['/token?grant_type=x&tx_code=493536', 'client_secret=493536&code=1'])(
    'replaces the secret in %s',
    (text) => {
      expect(maskText(text)).toContain('=•••')
      expect(maskText(text)).not.toContain('493536')
    },
  )

  const inJson = (name: string, value: unknown) => JSON.stringify({ [name]: value })
  const inOtherForms: [string, (name: string, value: string) => string][] = [
    ['JSON', inJson],
    ['JSON with a trailing comma', (name, value) => `{"${name}": "${value}",}`],
    ['JSON that is cut', (name, value) => `{"a": 1, "${name}" : "${value}`],
    ['JSON within JSON', (name, value) => JSON.stringify(inJson(name, value))],
    ['an address', (name, value) => `/x?offer=${encodeURIComponent(inJson(name, value))}`],
    [
      'an address in lower case',
      (name, value) => `/x?offer=%7b%22${name}%22%3a%20%22${value}%22%7d`,
    ],
    ['an encoded form', (name, value) => `offer={%22${name}%22:+%22${value}%22}`],
    [
      'an address within an address',
      (name, value) =>
        `/x?to=${encodeURIComponent(`y://?offer=${encodeURIComponent(inJson(name, value))}`)}`,
    ],
    ['a query', (name, value) => `/x?${name}=${value}&y=1`],
    ['an encoded query', (name, value) => `/x?to=${encodeURIComponent(`y?${name}=${value}`)}`],
    ['a list', (name, value) => `{"${name}": [ "${value}"],}`],
    ['an object', (name, value) => `{"${name}": {"value": "${value}"},}`],
    [
      'an address with an object',
      (name, value) => `/x?${encodeURIComponent(inJson(name, { value }))}`,
    ],
    ['a form with a list', (name, value) => `a=1&${name}[]=${value}`],
    ['a form with an object', (name, value) => `a=1&${name}%5Bvalue%5D%5B0%5D=${value}`],
    ['capitals', (name, value) => `/x?${name.toUpperCase()}=${value}`],
  ]

  it.each(
    [
      'tx_code',
      'user_pin',
      'pin',
      'password',
      'client_secret',
      'x-api-key',
      'key',
      'csrf_token',
      'code_verifier',
      'pre-authorized_code',
      'ticket',
      'code',
      'refresh_token',
    ].flatMap((name) => inOtherForms.map(([form, write]) => [name, form, write] as const)),
  )('masks %s in %s', (name, _form, write) => {
    const value = 'uBhCqe8TJfO2nM3x'
    const text = write(name, value)
    const masked = maskText(text)
    expect(masked).not.toContain(value.slice(8))
    expect(masked).toMatch(/•••|uBhCqe8T…/)
    // What surrounds the value stays.
    expect(masked.replace(/•••|uBhCqe8T…/, value)).toBe(text)
    expect(maskText(masked)).toBe(masked)
  })

  it.each(['authorization', 'cookie', 'd', 'privateKey'])('masks the member %s in text', (name) => {
    expect(maskText(`{"${name}": "Basic c2VjcmV0",`)).toBe(`{"${name}": "•••",`)
  })

  it('masks the private members of a key in text, numbers, and what a sentence mentions', () => {
    expect(maskText('{"kty":"oct","k":"c2VjcmV0",')).toBe('{"kty":"oct","k":"•••",')
    expect(maskText('{"tx_code": 493536,}')).toBe('{"tx_code": •••,}')
    expect(maskText('the PIN: 493536, client_secret: x7swordfish.')).toBe(
      'the PIN: •••, client_secret: •••',
    )
    expect(maskText('{"password": "sword \\" fish", "a": "b",}')).toBe(
      '{"password": "•••", "a": "b",}',
    )
  })

  it.each([
    'tx_code: Required',
    'password: must not be empty',
    'client_secret: $CLIENT_SECRET',
    'tx_code: { length: 6 }',
    '{"tx_code": {"length": 6},',
    'PIN: [hidden]',
    '/x?offer=%7B%22tx_code%22%3A%7B%22length%22%3A6%7D%7D',
    '{"code": "invalid_request",',
    '{"code": -32602,',
    'exit code: 1, status code=404',
    'did:key:zDnaeUBhCqe8TJfO2nM3x',
    'urn:ietf:params:oauth:grant-type:pre-authorized_code',
    '{"grants":{"authorization_code":{"issuer_state":"uBhCqe8TJfO2nM3x"},',
    'response_type=code&code_challenge=uBhCqe8TJfO2nM3x',
    'token_endpoint_auth_method=client_secret_basic',
    '{"k":"v","p":"q","q":"r",',
    'if (pin === 1)',
  ])('keeps %s', (text) => {
    expect(maskText(text)).toBe(text)
  })

  it('masks a value that contains the sign of what is cut, or begins with that of a form', () => {
    expect(maskText('password=swordfish…')).toBe('password=•••')
    expect(maskText('{"ticket": "uBhCqe8TJfO2nM3x…"')).toBe('{"ticket": "uBhCqe8T…"')
    expect(maskText('password==swordfish')).not.toContain('swordfish')
  })

  it('masks names of members too', () => {
    // A form of which the sender forgot the encoding.
    expect(maskSecrets({ '{"tx_code": "493536",}': '' })).toEqual({ '{"tx_code": "•••",}': '' })
  })

  it('keeps header and payload of a token in a query', () => {
    expect(maskText(`/userinfo?access_token=${token}`)).toBe(
      `/userinfo?access_token=${header}.${payload}.…`,
    )
  })

  it('replaces the private members of a key, and shortens codes of any length', () => {
    const rsa = { kty: 'RSA', n: 'n', e: 'AQAB', d: 'secret', p: 'secret', q: 'secret' }
    expect(JSON.stringify(maskSecrets({ jwk: rsa, oct: { kty: 'oct', k: 'secret' } }))).toBe(
      '{"jwk":{"kty":"RSA","n":"n","e":"AQAB","d":"•••","p":"•••","q":"•••"},"oct":{"kty":"oct","k":"•••"}}',
    )
    expect(maskSecrets({ 'pre-authorized_code': 'secret' })).toEqual({
      'pre-authorized_code': 'sec…',
    })
  })

  it('replaces the password in an address, but not ports', () => {
    expect(maskText('see https://me:swordfish@issuer.example:8443/x')).toBe(
      'see https://me:•••@issuer.example:8443/x',
    )
    const plain = 'http://127.0.0.1:8080/a@b postgres://host/db'
    expect(maskText(plain)).toBe(plain)
  })

  it('masks codes and PINs in lists', () => {
    const code = 'uBhCqe8TJfO2nM3x'
    const message = {
      acceptance_token: [code, [code], 7],
      'pre-authorized_code[]': code,
      tx_code: ['493536'],
      'tx_code[0]': '493536',
      'tx_code[value][0]': '493536',
    }
    expect(maskSecrets(message)).toEqual({
      acceptance_token: ['uBhCqe8T…', ['uBhCqe8T…'], 7],
      'pre-authorized_code[]': 'uBhCqe8T…',
      tx_code: '•••',
      'tx_code[0]': '•••',
      'tx_code[value][0]': '•••',
    })
    const deep = JSON.parse(`${'['.repeat(50)}"${code}"${']'.repeat(50)}`)
    expect(JSON.stringify(maskSecrets({ code: deep }))).not.toContain(code)
  })

  const lists: [string, (list: string) => string][] = [
    ['JSON', (list) => list],
    ['JSON that is cut', (list) => list.trimEnd().slice(0, -1)],
    ['JSON within JSON', (list) => JSON.stringify(list)],
    ['JSON within JSON within JSON', (list) => JSON.stringify(JSON.stringify(list))],
    ['an address', encodeURIComponent],
  ]
  const [one, another] = ['uBhCqe8TJfO2nM3x', 'aWkXrq5TLsP4vN7z']
  const nestings = [
    ['', one, another],
    [[[], one], '', [[another]]],
  ]
  it.each(
    ['password', 'code'].flatMap((name) =>
      lists.flatMap(([form, write]) =>
        [undefined, 2].flatMap((spaces) =>
          nestings.map((values) => [name, values, form, write, spaces] as const),
        ),
      ),
    ),
  )('masks every value of a list %s: %j in %s', (name, values, _form, write, spaces) => {
    const text = write(JSON.stringify({ [name]: values, next: ['shown', 'too'] }, null, spaces))
    const masked = maskText(text)
    for (const value of [one, another]) expect(masked).not.toContain(value.slice(8))
    expect(masked.match(/•••|[\w]{8}…/g)).toHaveLength(2)
    expect(masked).toContain('next')
    expect(masked).toContain('too')
    expect(maskText(masked)).toBe(masked)
  })

  it('masks the PIN of an order', () => {
    const order = { tx_code: { value: '493536', length: 6 } }
    expect(maskSecrets(order)).toEqual({ tx_code: { value: '•••', length: 6 } })
  })

  it('keeps the PIN description of an offer', () => {
    const offer = { tx_code: { length: 6, input_mode: 'numeric' } }
    expect(maskSecrets(offer)).toEqual(offer)
  })

  it('shows only the number of bytes', () => {
    expect(maskSecrets({ image: new Uint8Array(3) })).toEqual({ image: '<3 bytes>' })
  })
})

const problemOf = (text: string | Buffer) => findJsonProblem(Buffer.from(text as string))
const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

describe('findJsonProblem', () => {
  it.each([
    '{}',
    '',
    'null',
    '"text"',
    '{"a":{"a":{"a":["a","a",{"a":1}]}},"b":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":"b","c":"b","d":["a","c","a,"]}',
    '{"a":"\\"","b":"\\\\","c":"{\\"c\\":1,\\"c\\":2}"}',
    '{"ä":1,"a\u0308":2}',
    nested(100),
    '{"a":"unterminated',
    '}}}],,"',
  ])('finds nothing in %s', (text) => {
    expect(problemOf(text)).toBeUndefined()
  })

  it.each([
    ['a repeated name', '{"a":1,"a":1}'],
    ['a repeated name after nested ones', '{"a":{"b":[1,{"c":2}]},"b":1,"a":2}'],
    ['a name repeated in an object within a list', '[1,{"a":1,"b":2,"a":3}]'],
    ['a name repeated by an escape', '{"a":1,"\\u0061":2}'],
    ['a repeated __proto__', '{"__proto__":1,"__proto__":2}'],
    ['a repeated empty name', '{"":1,"":2}'],
    ['a name repeated behind escaped quotes', '{"a":"\\\\\\"","a":1}'],
    ['too many levels', nested(101)],
    ['too many levels of objects', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
    ['a byte order mark', '\ufeff{}'],
    ['bytes that are not valid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['half a surrogate pair as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
  ])('finds %s', (_name, text) => {
    expect(problemOf(text)).toEqual(expect.any(String))
  })

  it('takes linear time', async () => {
    const size = 1_000_000
    for (const text of [
      '"\\'.repeat(size / 2),
      '\\'.repeat(size),
      `"${'\\"'.repeat(size / 2)}`,
      '{'.repeat(size),
      `"${'\\'.repeat(size)}`,
    ]) {
      expect(await workOf(() => problemOf(text))).toBeLessThan(10_000)
    }
  })
})

describe('plainIssues', () => {
  it.each([
    [z.string(), 5, 'must be a string'],
    [z.int(), 'five', 'must be a number'],
    [z.int(), 5.5, 'must be an integer'],
    [z.object({}), [], 'must be an object'],
    [z.string(), undefined, 'is missing'],
    [z.enum(['a', 'b', 'c']), 'd', 'must be a, b or c'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(8), 'short', 'must have at least 8 characters'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.string()).min(1), [], 'must have at least 1 item'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
    [z.number().min(0), -1, 'must be at least 0'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.number().lt(9), 9, 'must be less than 9'],
    [z.number().max(9), 10, 'must be at most 9'],
    [z.strictObject({}), { nmae: 1 }, 'has unknown members: nmae'],
    [z.url(), 'nowhere', 'must be an http(s) address'],
    [z.string().regex(/^0x/), 'x', 'does not have the required format'],
    [z.union([z.string(), z.number()]), true, 'is not valid'],
    [z.string().regex(/^0x/, 'must begin with 0x'), 'x', 'must begin with 0x'],
    [z.string().refine(() => false, 'it is not JSON'), 'x', 'it is not JSON'],
  ])('names what is wrong: %#', (schema, value, message) => {
    const { error } = schema.safeParse(value, plainIssues)
    expect(error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

describe('plainReasons', () => {
  it('are clauses about the value; the text of a schema comes first', () => {
    const schema = z.object({ a: z.string(), b: z.string().regex(/^0x/, 'it lacks 0x') })
    const { error } = schema.safeParse({ a: 1, b: 'x' }, plainReasons)
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'it must be a string',
      'it lacks 0x',
    ])
  })
})

import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  createExchangeLog,
  createMask,
  describeMaskedDifference,
  type Exchange,
} from '#conformance/kit/evidence/exchange-log.ts'
import { zHop } from '#scenarios/harness/z-control-answers.ts'
import { listenForTest } from '#test/support/servers.ts'

const exchange = (overrides: Partial<Exchange> = {}): Exchange => ({
  from: 'wallet',
  to: 'issuer under test',
  method: 'POST',
  url: 'https://issuer.example/token',
  status: 200,
  durationMilliseconds: 3,
  ...overrides,
})

/** What the log gives of one exchange. */
function record(overrides: Partial<Exchange>) {
  const log = createExchangeLog()
  log.add(exchange(overrides))
  const [hop] = log.take()
  return hop ?? expect.unreachable()
}

describe('createExchangeLog', () => {
  it('numbers exchanges across the run and removes those it has returned', () => {
    const log = createExchangeLog()
    log.add(exchange())
    log.add(exchange())
    expect(log.take().map(({ id }) => id)).toEqual([1, 2])
    log.add(exchange())
    const [third] = log.take()
    expect(third?.id).toBe(3)
    expect(zHop.parse(third)).toMatchObject({ kind: 'http', from: 'wallet' })
    expect(log.take()).toEqual([])
  })

  it('keeps the first and the last ones of many, and counts the others', () => {
    const log = createExchangeLog()
    for (let index = 1; index <= 5_007; index++) log.add(exchange({ url: `/${index}` }))
    const urls = log.take().map(({ url }) => url)
    expect(urls).toHaveLength(5_000)
    expect([urls[0], urls.at(-1), log.leftOut]).toEqual(['/1', '/5007', 7])
    log.take()
    expect(log.leftOut).toBe(0)
  })

  it('puts an exchange before those that it caused', () => {
    const log = createExchangeLog()
    log.add(exchange({ url: '/inner', durationMilliseconds: 1 }))
    log.add(exchange({ url: '/outer', durationMilliseconds: 60_000 }))
    expect(log.take().map(({ id, url }) => [id, url])).toEqual([
      [1, '/outer'],
      [2, '/inner'],
    ])
  })

  it('decodes JSON regardless of its content type, and forms by their content type', () => {
    expect(record({ responseBody: '{"a":[1]}' }).responseBody).toEqual({ a: [1] })
    const form = record({
      requestHeaders: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      requestBody: 'grant_type=x&scope=a+b',
    })
    expect(form.requestBody).toEqual({ grant_type: 'x', scope: 'a b' })
    expect(record({ responseBody: '{"a":' }).responseBody).toBe('{"a":')
    expect(record({ responseBody: '' })).not.toHaveProperty('responseBody')
  })

  it('shows only the number of bytes of binary data', () => {
    const headers = { 'content-type': 'image/png' }
    const hop = record({
      responseBody: '\u0089PNG\r\n\u001a\n\u0000\u0000',
      responseHeaders: headers,
    })
    expect(hop.responseBody).toBe('<10 characters of image/png>')
  })

  it('truncates long values and says how much is missing', () => {
    const text = record({ responseBody: 'x'.repeat(100_000) }).responseBody
    expect(text).toMatch(/x… \(cut here: 16000 of 100000 characters\)$/)
    const list = record({ responseBody: Array.from({ length: 900 }, (_, index) => index) })
    expect(list.responseBody).toHaveLength(200)
    expect(JSON.stringify(list.responseBody)).toContain('701 more items')
    const member = record({ responseBody: { page: 'y'.repeat(20_000) } }).responseBody
    expect(JSON.stringify(member)).toContain('cut here: 16000 of 20000 characters')
  })
})

describe('secrets of exchanges', () => {
  const pin = '493536'
  const secret = 'uBhCqe8TJfO2nM3xLongEnough'
  const json = (value: unknown) => JSON.stringify(value)

  it.each<[string, Partial<Exchange>]>([
    ['Authorization: Bearer', { requestHeaders: { Authorization: `Bearer ${secret}` } }],
    [
      'Authorization: Basic',
      { requestHeaders: { authorization: `Basic ${btoa(`client:${secret}`)}` } },
    ],
    ['x-api-key', { requestHeaders: { 'X-API-Key': secret } }],
    ['a cookie', { requestHeaders: { cookie: `a=1; session=${secret}` } }],
    ['a cookie that is set', { responseHeaders: { 'set-cookie': `sid=${secret}; HttpOnly` } }],
    ['client_secret', { requestBody: { client_secret: secret } }],
    ['an access token', { responseBody: { access_token: secret } }],
    ['a refresh token', { responseBody: json({ refresh_token: secret }) }],
    ['a code in a query', { url: `https://rp.example/callback?state=1&code=${secret}` }],
    [
      'a code in a redirect',
      { responseHeaders: { location: `https://rp.example/?code=${secret}` } },
    ],
    ['a token in a fragment', { responseHeaders: { Location: `app://x#access_token=${secret}` } }],
    [
      'a code in an offer by value',
      {
        url: `x://?credential_offer=${encodeURIComponent(json({ grants: { g: { 'pre-authorized_code': secret } } }))}`,
      },
    ],
    ['a password in an address', { url: `https://me:${secret}@issuer.example/` }],
    [
      'a token in a form',
      {
        requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
        requestBody: `token=${secret}`,
      },
    ],
  ])('are hidden everywhere once they appeared as %s', (_, overrides) => {
    const log = createExchangeLog()
    log.add(exchange({ responseBody: `<p>You sent ${secret} before</p>` }))
    log.add(exchange(overrides))
    log.add(exchange({ responseBody: { error_description: `no such thing: ${secret}` } }))
    expect(json(log.take())).not.toContain(secret)
    expect(log.mask(`expected ${secret}`)).not.toContain(secret)
  })

  it('hides a code of letters only, and a PIN that was sent as a number', () => {
    const log = createExchangeLog()
    log.add(exchange({ requestBody: { code: 'uBhCqeTJfOnMxLongEnough', tx_code: Number(pin) } }))
    log.add(exchange({ responseBody: `uBhCqeTJfOnMxLongEnough with ${pin}` }))
    expect(json(log.take())).not.toMatch(/uBhCqeTJfOnMxLongEnough|493536/)
  })

  it('hides a PIN as a separate value, but not within other numbers', () => {
    const log = createExchangeLog()
    log.add(
      exchange({
        requestBody: { tx_code: pin },
        responseBody: { error_description: `${pin} is wrong`, at: `1${pin}9` },
      }),
    )
    const logged = json(log.take())
    expect(logged).toContain('••• is wrong')
    expect(logged).toContain(`1${pin}9`)
  })

  it('hides a secret that is a word, but not in the names of parameters', () => {
    const log = createExchangeLog()
    log.hide('secret')
    expect(log.mask(['client_secret=secret', 'client_secret is not secret', 'secrets'])).toEqual([
      'client_secret=•••',
      'client_secret is not •••',
      'secrets',
    ])
    expect(log.mask({ client_secret: 'secret', secret: 1 })).toEqual({
      client_secret: '•••',
      '•••': 1,
    })
  })

  it('keeps the names of errors and the payload of a token', () => {
    const header = 'eyJhbGciOiJFUzI1NiJ9'
    const jwt = `${header}.eyJpc3MiOiJqb2UifQ.c2lnbmF0dXJlLW9mLXRoaXM`
    const log = createExchangeLog()
    log.add(exchange({ responseBody: { code: 'invalid_token', access_token: jwt } }))
    log.add(exchange({ responseBody: { code: -32_000, message: 'not -32000' } }))
    log.add(exchange({ responseBody: { error: 'invalid_token', id_token: jwt } }))
    const logged = json(log.take())
    expect(logged).toContain('"error":"invalid_token"')
    expect(logged).toContain('not -32000')
    expect(logged).toContain(`${header}.eyJpc3MiOiJqb2UifQ.…`)
    expect(logged).not.toContain('c2lnbmF0dXJl')
  })
})

describe('hostile messages', () => {
  const malformed = '%ffSwordfish'

  it.each<[string, Partial<Exchange>]>([
    ['an address', { url: `http://a:${malformed}@h.example/` }],
    ['a Location header', { responseHeaders: { location: `http://a:${malformed}@h.example/` } }],
    ['a Referer header', { requestHeaders: { referer: `http://a:${malformed}@h.example/` } }],
  ])('with a malformed password in %s are recorded without it', (_, overrides) => {
    const log = createExchangeLog()
    log.add(exchange({ ...overrides, responseBody: `<p>${malformed}</p>` }))
    const hops = log.take()
    expect(hops).toHaveLength(1)
    expect(JSON.stringify(hops)).not.toContain('Swordfish')
  })

  it('are masked if their JSON is malformed or sent as a form', () => {
    const secret = 'uBhCqe8TJfO2nM3x'
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const hops = [
      record({ requestBody: `{"password": "hunter22", "client_secret": "${secret}",` }),
      record({ requestBody: `{"password": "hunter22", "a":1}`, requestHeaders: form }),
      record({ responseBody: `{"access_token": "${secret}"` }),
      record({ url: `http://h/?x-api-key=${secret}&password=hunter22` }),
    ]
    expect(JSON.stringify(hops)).not.toMatch(/hunter22|JfO2nM3x/)
    expect(hops[1]?.requestBody).toEqual({ password: '•••', a: 1 })
  })

  it('hides an encoded password in both forms', () => {
    const log = createExchangeLog()
    log.add(exchange({ url: 'http://a:pass%20word@h.example/' }))
    log.add(exchange({ responseBody: 'pass word or pass%20word' }))
    expect(log.take()[1]?.responseBody).toBe('••• or •••')
  })

  it('with half a surrogate pair or endless nesting are recorded', () => {
    const log = createExchangeLog()
    log.add(exchange({ requestBody: { tx_code: '\ud800abcd' } }))
    const nested: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
    log.add(exchange({ responseBody: nested }))
    const hops = log.take()
    expect(hops[0]?.requestBody).toEqual({ tx_code: '•••' })
    expect(hops[1]?.responseBody).toBe('(cut here: too deep)')
  })

  it('with more secrets than fit into one pattern are masked', () => {
    const log = createExchangeLog()
    const secrets = Array.from({ length: 60 }, (_, i) =>
      Array.from({ length: 5000 }, (_, at) => String.fromCharCode(0x4e00 + i + 7 * at)).join(''),
    )
    for (const password of secrets) log.add(exchange({ responseBody: { password } }))
    const pins = Object.fromEntries(secrets.map((_, i) => [`${i}password`, `p${1000 + i}`]))
    log.add(exchange({ requestBody: pins, responseBody: `<p>p1059, ${secrets[59]}</p>` }))
    expect(log.take().at(-1)?.responseBody).toBe('<p>•••, •••</p>')
  })
})

describe('fetchAs', () => {
  const serve = (listener: RequestListener) => listenForTest(createServer(listener))

  it('records request and answer, and returns the answer unread', async () => {
    const log = createExchangeLog()
    const origin = await serve((request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' })
      request.pipe(response)
    })
    const send = log.fetchAs('wallet', 'issuer')
    const request = new Request(`${origin}/echo`, { method: 'PUT', body: '{"a":1}' })
    expect(await (await send(request)).text()).toBe('{"a":1}')
    expect(log.take()).toMatchObject([
      {
        from: 'wallet',
        to: 'issuer',
        method: 'PUT',
        url: `${origin}/echo`,
        status: 201,
        requestBody: { a: 1 },
        responseBody: { a: 1 },
      },
    ])
  })

  it('records that there was no response, and rejects as the fetch does', async () => {
    const log = createExchangeLog()
    const origin = await serve((request) => request.socket.destroy())
    await expect(log.fetchAs('wallet', 'issuer')(origin)).rejects.toThrow(TypeError)
    const [hop] = log.take()
    expect(hop?.status).toBe(0)
    expect(hop?.responseBody).toContain('no response')
  })

  it('records a redirect to a malformed address as the answer that it is', async () => {
    const log = createExchangeLog()
    const origin = await serve((_, response) => {
      response.writeHead(302, { location: 'http://a:%ff@h.example/' }).end()
    })
    const answer = await log.fetchAs('wallet', 'issuer')(origin, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    expect(log.take().map(({ status }) => status)).toEqual([302])
  })

  it('reads only as much of an endless answer as it stores', async () => {
    const log = createExchangeLog()
    const origin = await serve((_, response) => {
      const send = () => {
        response.write('z'.repeat(65_536), (error) => error ?? setImmediate(send))
      }
      send()
    })
    const answer = await log.fetchAs('wallet', 'issuer')(origin)
    await answer.body?.cancel()
    expect(log.take()[0]?.responseBody).toMatch(/^z+… \(cut here/)
  })
})

const mask = createMask([
  { value: '493512', isCode: false },
  { value: '493587', isCode: false },
])

describe('a difference in masked values', () => {
  it.each([
    ['493512', '493587', 'They differ from character 5 on (6 and 6 long)'],
    [
      { offer: { pin: '12' } },
      { offer: { pin: '1' } },
      'They differ at offer.pin from character 2',
    ],
    ['eyJhIjoxfQ.eyJiIjoyfQ.abc', 'eyJhIjoxfQ.eyJiIjoyfQ.abd', 'from character 25 on'],
  ])('is located for %j', (expected, actual, where) => {
    expect(mask(expected)).toEqual(mask(actual))
    const logged = describeMaskedDifference(expected, actual, mask)
    expect(logged).toContain(where)
    expect(logged).not.toMatch(/4935|abc|abd/)
  })

  it.each([
    ['a', 'b'],
    ['493512', '493512'],
    [undefined, '493512'],
  ])('is not reported for %j and %j', (expected, actual) => {
    expect(describeMaskedDifference(expected, actual, mask)).toBe('')
  })
})

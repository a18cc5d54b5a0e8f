import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createApp, createMetrics } from '#kit/create-app.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Hop } from '#kit/traces.ts'
import { callJson } from '#test/support/http.ts'
import { workOf } from '#test/support/timing.ts'
import { installMovableClock } from '#testbed/process/clock.ts'
import { createTestRuntime, type RunningService, startService } from '../../support/services.ts'

const echo = defineRoute<{ greeting: string }>()({
  method: 'post',
  path: '/echo/:name',
  summary: 'Says it back',
  auth: 'none',
  request: {
    params: z.object({ name: z.string() }),
    body: z.object({ list: z.array(z.string()).min(1), text: z.string() }),
    limit: 1000,
  },
  responses: { 200: { description: 'What was said', body: z.object({ said: z.string() }) } },
  errors: ['invalid_request'],
  handle({ body, params }, { greeting }) {
    if (body.text === 'fault') throw new Error('the password is swordfish')
    // The error of the driver for a parameter with that character.
    if (body.text === 'U+0000') throw Object.assign(new Error('invalid'), { code: '22021' })
    if (body.text === 'refuse') {
      throw new TestbedError({
        code: 'refused',
        status: 409,
        message: 'No.',
        detail: 'only for the log',
        extra: { missing: ['email'] },
      })
    }
    return { status: 200, body: { said: `${greeting} ${params.name}: ${body.text}` } }
  },
})

const guarded = defineRoute<{ greeting: string }, { name: string }>()({
  method: 'get',
  path: '/guarded',
  summary: 'Returns the name of the client',
  auth: 'doorman',
  responses: { 200: { description: 'Who', body: z.object({ name: z.string() }) } },
  handle: ({ principal }) => ({ status: 200, body: { name: principal.name } }),
})

const getSchema = defineRoute<object>()({
  method: 'post',
  path: '/schema',
  summary: 'Returns a schema, with or without options',
  auth: 'none',
  request: { body: z.object({}).default({}) },
  responses: { 200: { description: 'A schema', contentType: 'application/schema+json' } },
  handle: () => ({ status: 200, body: {}, contentType: 'application/schema+json' }),
})

describe('a service app', () => {
  let system: RunningService
  const hops: Omit<Hop, 'id'>[] = []
  const sizes: number[] = []

  beforeAll(async () => {
    const runtime = {
      ...createTestRuntime(),
      traces: {
        enabled: true,
        record(describe: () => Omit<Hop, 'id'>, bytes: number) {
          hops.push(describe())
          sizes.push(bytes)
        },
      },
    }
    system = await startService(async (baseUrl) => ({
      app: createApp({
        name: 'parrot',
        title: 'Parrot',
        version: '1.0.0',
        description: 'Says things back.',
        baseUrl,
        runtime,
        dependencies: { greeting: 'Hello' },
        routes: [echo, guarded, getSchema],
        authentication: {
          doorman: (request) => {
            if (request.get('x-name')) return { name: request.get('x-name') }
            throw new TestbedError({ code: 'unknown', status: 401, message: 'Who are you?' })
          },
        },
        docsPath: '/swagger',
        metricsNamespace: 'birds',
      }),
      close: async () => {},
    }))
  })
  afterAll(() => system.stop())

  const post = (body: string | object, contentType = 'application/json', path = '/echo/Ana') =>
    fetch(system.baseUrl + path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': contentType, 'x-scenario-id': 'suite/test' },
    })

  it('parses the input and passes it to the handler with its dependencies', async () => {
    const answer = await post({ list: ['x'], text: 'hi' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ said: 'Hello Ana: hi' })
    expect(answer.headers.get('x-powered-by')).toBeNull()
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    ['a member of the wrong type', { list: 'x', text: 'hi' }, 400],
    ['an empty list', { list: [], text: 'hi' }, 400],
    ['a missing member', { list: ['x'] }, 400],
    ['JSON that is not an object', 'null', 400],
    ['a body that is not JSON', '{', 400],
    ['an empty body', '', 400],
    ['a body over the limit', { list: ['x'], text: 'x'.repeat(2000) }, 413],
  ])('rejects %s', async (_, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: expect.any(String) })
  })

  it.each([
    ['{"text": "swordfish",}', '/echo/Ana', /JSON \(line 1 column \d+\)/],
    ['swordfish', '/echo/Ana', /JSON/],
    ['{}', '/echo/%E0%A4%A', /address/],
    [`{"text": "${'x'.repeat(2000)}"}`, '/echo/Ana', / 1000 bytes/],
  ])('says why it cannot read a request, without quoting it: %#', async (body, path, reason) => {
    const answer = (await (await post(body, 'application/json', path)).json()) as object
    expect(answer).toMatchObject({ error_description: expect.stringMatching(reason) })
    expect(JSON.stringify(answer)).not.toContain('swordfish')
  })

  it('reports the missing member if there is no body', async () => {
    const answer = await fetch(`${system.baseUrl}/echo/Ana`, { method: 'POST' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('rejects strings that PostgreSQL cannot store as a client error', async () => {
    expect((await post({ list: ['x'], text: 'U+0000' })).status).toBe(400)
  })

  it('rejects other content types, methods and paths', async () => {
    expect((await post('x', 'text/plain')).status).toBe(415)
    const other = await fetch(`${system.baseUrl}/echo/Ana`)
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST'])
    for (const path of ['/health', '/metrics', '/swagger']) {
      const posted = await fetch(`${system.baseUrl}${path}`, { method: 'POST' })
      expect([path, posted.status, posted.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
    }
    for (const path of ['/nowhere', '/Health', '/METRICS', '/Swagger', '/Echo/Ana']) {
      expect([path, (await fetch(`${system.baseUrl}${path}`)).status]).toEqual([path, 404])
    }
    const malformed = await post({ list: ['x'], text: 'hi' }, 'application/json', '/echo/%E0%A4%A')
    expect(malformed.status).toBe(400)
  })

  /** The status of a response to exactly these headers, as names and values in turn. */
  const statusWith = (...headers: string[]) =>
    new Promise((resolve, reject) => {
      const sent = request(`${system.baseUrl}/guarded`, { headers, setDefaultHeaders: false })
      sent.once('response', (response) => resolve(response.resume().statusCode))
      sent.once('error', reject).end()
    })

  it.each([
    ['host', 'a.example'],
    ['Authorization', 'Bearer x'],
    ['content-type', 'text/plain'],
  ])('rejects a repeated header: %s', async (name, value) => {
    const headers = name === 'host' ? [] : ['host', 'a.example']
    expect(await statusWith(...headers, 'x-name', 'Ana', name, value)).toBe(200)
    expect(await statusWith(...headers, 'x-name', 'Ana', name, value, name, value)).toBe(400)
  })

  it.each([
    ['', 200],
    ['localhost', 200],
    ['[::1]:80', 200],
    ['a.example:', 200],
    ['user@a.example', 400],
    ['a.example/x', 400],
    ['a.example, b.example', 400],
    ['a b', 400],
    ['a.example:x', 400],
  ])('answers the header Host "%s" with %d', async (host, status) => {
    expect(await statusWith('host', host, 'x-name', 'Ana')).toBe(status)
  })

  it('does not reveal the cause of an internal error', async () => {
    const answer = await post({ list: ['x'], text: 'fault' })
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(JSON.parse(text).error).toBe('server_error')
    expect(text).not.toMatch(/swordfish|\.ts:/)
  })

  it('answers a rejection with its code and further members, but not with its detail', async () => {
    const answer = await post({ list: ['x'], text: 'refuse' })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toEqual({
      error: 'refused',
      error_description: 'No.',
      missing: ['email'],
    })
  })

  it('accepts authenticated clients', async () => {
    expect((await fetch(`${system.baseUrl}/guarded`)).status).toBe(401)
    const known = await fetch(`${system.baseUrl}/guarded`, { headers: { 'x-name': 'Ana' } })
    expect(await known.json()).toEqual({ name: 'Ana' })
  })

  it('serves health, metrics under its namespace, and its OpenAPI document', async () => {
    expect(await (await fetch(`${system.baseUrl}/health`)).json()).toEqual({ status: 'ok' })
    const metrics = await (await fetch(`${system.baseUrl}/metrics`)).text()
    expect(metrics).toMatch(/^birds_http_requests_total\{method="POST",route="\/echo\/:name"/m)
    const { body: document } = await callJson(`${system.baseUrl}/swagger/openapi.json`)
    expect(document).toMatchObject({
      openapi: '3.0.3',
      paths: {
        '/echo/{name}': { post: { summary: 'Says it back', requestBody: { required: true } } },
        '/schema': { post: { requestBody: { required: false } } },
      },
    })
    const { content } = document.paths['/schema'].post.responses[200]
    expect(content['application/schema+json'].schema).toEqual({})
    expect((await fetch(`${system.baseUrl}/schema`, { method: 'POST' })).status).toBe(200)
    expect((await fetch(`${system.baseUrl}/swagger`)).status).toBe(200)
  })

  it('records each exchange with its scenario', async () => {
    hops.length = 0
    await (await post({ list: ['x'], text: 'recorded' })).text()
    expect(hops).toMatchObject([
      {
        to: 'parrot',
        method: 'POST',
        url: '/echo/Ana',
        status: 200,
        scenarioId: 'suite/test',
        requestBody: { text: 'recorded' },
        responseBody: { said: 'Hello Ana: recorded' },
      },
    ])
  })

  const secret = 'uBhCqe8TJfO2nM3x'
  it.each([
    ['JSON as text/plain', 'text/plain;charset=UTF-8', `{"code":"${secret}","tx_code":"493536"}`],
    ['a form as text/plain', 'text/plain', `code=${secret}&tx_code=493536&d=${secret}`],
    ['a form as JSON', 'application/json', `code=${secret}&tx_code=493536`],
    [
      'JSON as a form',
      'application/x-www-form-urlencoded',
      `{"a":"1&b=2","pin":"493536","code":"${secret}"}`,
    ],
    ['malformed JSON', 'application/json', `{"code": "${secret}", "tx_code": "493536",}`],
    [
      'malformed JSON as a form',
      'application/x-www-form-urlencoded',
      `{"pre-authorized_code": "${secret}", "tx_code": "493536&",}`,
    ],
  ])('masks %s in a recorded exchange', async (_, contentType, body) => {
    hops.length = 0
    await (await post(body, contentType)).text()
    const recorded = JSON.stringify(hops.map(({ requestBody }) => requestBody))
    expect(recorded).toContain('•••')
    expect(recorded).not.toContain('493536')
    expect(recorded).not.toContain(secret)
  })

  it('records the size of an exchange: address, headers and bodies', async () => {
    hops.length = 0
    sizes.length = 0
    const sent = { list: ['x'], text: 'é'.repeat(300) }
    const received = await (await post(sent)).arrayBuffer()
    const bodies = Buffer.byteLength(JSON.stringify(sent)) + received.byteLength
    const headers = [hops[0]?.requestHeaders, hops[0]?.responseHeaders]
      .flatMap((each) => Object.entries(each ?? {}))
      .flat()
    // That of fetch.
    const userAgent = 'node'
    const others = ['/echo/Ana', userAgent, ...headers].join('').length
    expect(sizes).toEqual([bodies + others])
  })

  it('cuts long addresses and headers, and counts what it keeps', async () => {
    hops.length = 0
    sizes.length = 0
    const headers = { accept: 'a'.repeat(2000), 'user-agent': 'u'.repeat(2000) }
    await (await fetch(`${system.baseUrl}/x?${'q'.repeat(8000)}`, { headers })).text()
    const [hop] = hops
    expect(hop?.url).toMatch(/^\/x\?q+…$/)
    expect(hop?.url).toHaveLength(4097)
    expect(hop?.requestHeaders?.accept).toHaveLength(1025)
    expect(sizes[0]).toBeGreaterThan(4096 + 2 * 1024)
    expect(sizes[0]).toBeLessThan(4096 + 2 * 1024 + 1000)
  })

  it.each([
    ['lear-testbed/wallet', 'wallet'],
    [`lear-testbed/${'a'.repeat(41)}`, 'client'],
    ['Mozilla/5.0', 'browser'],
    ['curl', 'client'],
  ])('names the caller with User-Agent %s', async (userAgent, from) => {
    hops.length = 0
    await (await fetch(`${system.baseUrl}/x`, { headers: { 'user-agent': userAgent } })).text()
    expect(hops).toMatchObject([{ from }])
  })
})

it('continues if the clock moves by years', async () => {
  const clock = installMovableClock()
  try {
    const metrics = createMetrics('moved')
    await metrics.read()
    clock.advance(1000 * 365 * 86_400)
    const work = await workOf(async () =>
      expect((await metrics.read()).text).toContain('moved_nodejs_eventloop_utilization'),
    )
    // Moving a one-minute window step by step over 20 years would take some seconds.
    expect(work).toBeLessThan(10_000)
  } finally {
    clock.uninstall()
  }
})

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clockOffset } from '#scenarios/harness/control-client.ts'
import { createHttpClient, fetchBy } from '#scenarios/harness/http-client.ts'
import { createMailbox, type Mailbox } from '#scenarios/harness/mailbox.ts'
import { createMailer } from '#services/issuer/adapters/mail-client.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import { listenOn } from '#test/support/servers.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'

const server = createServer(async (request, response) => {
  if (request.url === '/moved') return response.writeHead(302, { location: '/elsewhere' }).end()
  if (request.url === '/hang') return undefined
  if (request.url === '/endless') {
    const mebibyte = Buffer.alloc(1024 * 1024)
    const more = () => response.write(mebibyte, (error) => error ?? more())
    return more()
  }
  if (request.url === '/empty') return response.writeHead(204).end()
  if (request.url === '/page') return response.writeHead(404, { 'set-cookie': 'a=b' }).end('hello')
  if (request.url === '/half') {
    response.writeHead(200, { 'content-length': 100 }).write('half')
    return response.socket?.destroySoon()
  }
  const { method, headers } = request
  const seen = { method, headers, body: await text(request) }
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen))
})

let origin: string
const never = new AbortController().signal
const settings = {
  caller: 'portal',
  scenarioId: () => 'suite/name/ES256K@00:3',
  signal: never,
}
const client = createHttpClient(settings)

beforeAll(async () => {
  origin = await listenOn(server)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('createHttpClient', () => {
  it('sends the part, the scenario and the step of a request', async () => {
    expect((await client.request(origin)).json).toMatchObject({
      method: 'GET',
      headers: { 'user-agent': 'lear-testbed/portal', 'x-scenario-id': 'suite/name/ES256K@00:3' },
    })
  })

  it('sends JSON and forms with their content types', async () => {
    expect((await client.request(origin, { json: { a: 1 } })).json).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    })
    expect((await client.request(origin, { json: null })).json).toMatchObject({
      method: 'POST',
      body: 'null',
    })
    expect((await client.request(origin, { form: { a: 'b c' } })).json).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=b+c',
    })
  })

  it('does not follow redirects', async () => {
    const answer = await client.request(`${origin}/moved`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/elsewhere'])
  })

  it('does not read an endless body', async () => {
    const patient = createHttpClient({ caller: 'portal', scenarioId: () => '', signal: never })
    await expect(patient.request(`${origin}/endless`)).rejects.toMatchObject({
      code: 'no_answer',
      message: expect.stringContaining('longer than'),
    })
  })

  it('sends requests through the proxy that is set for all of them', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createServer()
    proxy.on('connect', ({ url }, socket) => {
      asked.push(url)
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    const before = getGlobalDispatcher()
    setGlobalDispatcher(new ProxyAgent({ uri: await listenOn(proxy), proxyTunnel: true }))
    try {
      await expect(client.request(origin)).rejects.toMatchObject({
        code: 'no_answer',
        message: expect.stringContaining('NO_PROXY'),
      })
    } finally {
      setGlobalDispatcher(before)
      proxy.close()
    }
    expect(asked).toEqual([new URL(origin).host])
  })

  it('reports a response that exceeds the time limit, and a server that is not running', async () => {
    const impatient = createHttpClient({ ...settings, timeoutMilliseconds: 200 })
    await expect(impatient.request(`${origin}/hang`)).rejects.toMatchObject({ code: 'no_answer' })
    await expect(client.request('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'no_answer' })
  })
})

describe('the fetch of a client', () => {
  const { fetch } = client

  it('sends what it is given, and its own headers', async () => {
    const sent = await fetch(new URL(origin), {
      method: 'POST',
      headers: { Accept: 'text/html', 'User-Agent': 'other' },
      body: new URLSearchParams({ a: 'b c' }),
    })
    expect(await sent.json()).toMatchObject({
      method: 'POST',
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'lear-testbed/portal',
      },
      body: 'a=b+c',
    })
  })

  it('returns an answer unchanged, and does not follow redirects', async () => {
    const page = await fetch(`${origin}/page`)
    expect([page.status, await page.text()]).toEqual([404, 'hello'])
    expect(page.headers.getSetCookie()).toEqual(['a=b'])
    expect((await fetch(`${origin}/empty`)).status).toBe(204)
    expect((await fetch(`${origin}/moved`)).headers.get('location')).toBe('/elsewhere')
  })

  it('ends with a signal, and refuses bodies that it would not send unchanged', async () => {
    const hanging = fetch(`${origin}/hang`, { signal: AbortSignal.timeout(20) })
    await expect(hanging).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(fetch(origin, { method: 'POST', body: new FormData() })).rejects.toThrow(TypeError)
    await expect(fetch(new Request(origin))).rejects.toThrow(TypeError)
  })

  it('reports a missing server, and an answer that ends early, as its client does', async () => {
    const byRequest = fetchBy(client.request)
    for (const url of ['http://127.0.0.1:1/', `${origin}/half`]) {
      await expect(byRequest(url)).rejects.toMatchObject({ code: 'no_answer' })
      await expect(fetch(url)).rejects.toMatchObject({
        code: expect.stringMatching(/^(ECONNREFUSED|UND_ERR_SOCKET)$/),
      })
    }
  })
})

describe('the offset of a clock with a resolution of one second', () => {
  it.each([
    ['none, within one second', { asked: 10.1, answered: 10.2, now: 10, known: 0 }, 0],
    [
      'none, though a second ended before the answer',
      { asked: 9.9, answered: 10.1, now: 9, known: 0 },
      0,
    ],
    [
      'none, though a second ended after the question',
      { asked: 9.9, answered: 10.1, now: 10, known: 0 },
      0,
    ],
    ['an hour', { asked: 10.1, answered: 10.2, now: 3610, known: 0 }, 3600],
    [
      'an hour, asked at the end of a second',
      { asked: 9.9, answered: 10.1, now: 3609, known: 0 },
      3600,
    ],
    ['never behind', { asked: 9.9, answered: 10.1, now: 3610, known: 0 }, 3601],
    ['an hour that was known', { asked: 9.9, answered: 10.1, now: 3609, known: 3600 }, 3600],
    ['back to none', { asked: 10.1, answered: 10.2, now: 10, known: 3600 }, 0],
  ])('is %s', (_name, reading, expected) => {
    expect(clockOffset(reading)).toBe(expected)
  })
})

describe('createMailbox', () => {
  const png = Buffer.from('89504e470d0a1a0a00ff', 'hex')
  let server: RunningService<MailService>
  let mailer: ReturnType<typeof createMailer>
  let mailbox: Mailbox

  beforeAll(async () => {
    const runtime = createTestRuntime()
    server = await startService((baseUrl) => createMailService({ baseUrl }, runtime))
    const { smtpUrl } = server.service
    mailer = createMailer({ smtpUrl, mailFrom: 'Issuer <issuer@example.org>' }, runtime)
    const { signal } = new AbortController()
    const http = createHttpClient({ caller: 'mailbox', scenarioId: () => 'x@1:0', signal })
    mailbox = createMailbox(http, server.baseUrl, signal)
  })
  afterAll(async () => {
    mailer?.close()
    await server?.stop()
  })
  beforeEach(() => fetch(`${server.baseUrl}/api/v1/messages`, { method: 'DELETE' }))

  const send = (to: string, subject = 'Tu credencial está lista') =>
    mailer.send({
      to,
      messageId: `<${crypto.randomUUID()}@example.org>`,
      subject,
      text: `Escanea el código.\n\n${'x'.repeat(200)}\n`,
      html: '<p>Escanea el código</p><img src="cid:qr">',
      qrPng: png,
      qrContentId: 'qr',
    })

  it('reads HTML, text and images of an offer email with the mailhog client', async () => {
    await send('ana@example.org')
    await send('eva@example.org')
    const mail = await mailbox.receive('ana@example.org')
    expect(mail).toEqual({
      subject: 'Tu credencial está lista',
      from: 'issuer@example.org',
      text: expect.stringMatching(/^Escanea el código\.\r?\n\r?\nx{200}\r?\n$/),
      html: '<p>Escanea el código</p><img src="cid:qr">',
      images: [
        { name: 'credential-offer.png', mimeType: 'image/png', contentId: 'qr', bytes: png },
      ],
    })
  })

  it('reads a subject with several encoded words', async () => {
    const subject = `Tu credencial de Construcción y Diseño ${'Ñandú '.repeat(20)}S. A.`
    await send('ana@example.org', subject)
    expect((await mailbox.receive('ana@example.org')).subject).toBe(subject)
  })

  it('lists the available emails without waiting, newest first', async () => {
    await send('ana@example.org', 'first')
    await send('eva@example.org')
    await send('ana@example.org', 'second')
    const subjects = (await mailbox.list('ana@example.org')).map(({ subject }) => subject)
    expect(subjects).toEqual(['second', 'first'])
    expect(await mailbox.list('other@example.org')).toEqual([])
  })

  it('waits for an email that has not arrived yet', async () => {
    const received = mailbox.receive('ana@example.org')
    await send('ana@example.org')
    expect((await received).from).toBe('issuer@example.org')
  })

  it('reports an email that does not arrive in time', async () => {
    await expect(mailbox.receive('other@example.org', 10)).rejects.toMatchObject({
      code: 'not_in_time',
    })
  })
})

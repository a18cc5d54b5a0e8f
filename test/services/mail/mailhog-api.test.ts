import mailhog from 'mailhog'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailService } from '#services/mail/create-mail-service.ts'
import { findMailhog, type RunningMailhog, startMailhog } from '#test/support/mail.ts'
import { requestInTurn } from '#test/support/servers.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'

interface Message {
  readonly ID: string
  readonly From: object
  readonly To: readonly object[]
  readonly Content: { readonly Headers: Readonly<Record<string, string[]>>; readonly Body: string }
  readonly MIME: { readonly Parts: readonly Part[] } | null
  readonly Raw: { readonly From: string; readonly To: readonly string[]; readonly Data: string }
}

interface Part {
  readonly Headers: Readonly<Record<string, string[]>>
  readonly Body: string
  readonly MIME: { readonly Parts: readonly Part[] } | null
}

interface Page {
  readonly total: number
  readonly count: number
  readonly start: number
  readonly items: readonly Message[]
}

const program = findMailhog()

async function startEmbedded(): Promise<RunningMailhog> {
  const { baseUrl, service, stop } = await startService((url) =>
    createMailService({ baseUrl: url }, createTestRuntime()),
  )
  return { baseUrl, smtpUrl: service.smtpUrl, stop }
}

// The same assertions run against both: a difference would not be the MailHog API.
describe.each([
  ['the embedded mail server', startEmbedded, undefined],
  [
    'the real MailHog',
    () => startMailhog(program ?? ''),
    program ? undefined : 'MailHog is not installed here',
  ],
] as const)('%s', (_, start, missing) => {
  let server: RunningMailhog
  beforeAll(async () => {
    if (missing === undefined) server = await start()
  })
  afterAll(() => server?.stop())
  beforeEach(async ({ skip }) => {
    if (missing !== undefined) skip(missing)
    await fetch(`${server.baseUrl}/api/v1/messages`, { method: 'DELETE' })
  })

  const send = (mail: object = {}) =>
    createTransport(server.smtpUrl).sendMail({
      from: 'Issuer <issuer@example.org>',
      to: 'Ana Ruiz <ana.ruiz@example.org>',
      subject: 'one',
      text: 'first line\n.dot first',
      ...mail,
    })
  const get = (path: string, method = 'GET') => fetch(server.baseUrl + path, { method })
  const read = async <T>(path: string) => (await (await get(path)).json()) as T
  const subjectsOf = ({ items }: Page) =>
    items.map(({ Content }) => Content.Headers.Subject?.[0] ?? '')

  it('GET /api/v2/messages returns pages, newest first', async () => {
    for (const subject of ['one', 'two', 'three']) await send({ subject })
    const all = await get('/api/v2/messages')
    expect(all.headers.get('content-type')).toMatch(/^text\/json/)
    const page = (await all.json()) as Page
    expect(page).toMatchObject({ total: 3, count: 3, start: 0 })
    expect(subjectsOf(page)).toEqual(['three', 'two', 'one'])
    const second = await read<Page>('/api/v2/messages?start=1&limit=1')
    expect(second).toMatchObject({ total: 3, count: 1, start: 1 })
    expect(subjectsOf(second)).toEqual(['two'])
    for (const query of ['start=-1&limit=-1', 'start=x&limit=y', 'limit=0', 'limit=1000']) {
      expect(await read<Page>(`/api/v2/messages?${query}`)).toMatchObject({ count: 3, start: 0 })
    }
    expect(await read<Page>('/api/v2/messages?start=9')).toMatchObject({ total: 3, count: 0 })
  })

  it('GET /api/v2/search finds by sender, recipient and content, case-insensitively', async () => {
    await send({ subject: 'one', to: 'first@example.org' })
    await send({ subject: 'two', to: 'Second@example.org', text: 'Needle' })
    await send({ subject: 'three', to: 'second@example.org', from: 'Other <o@other.example>' })
    const search = (kind: string, query: string, rest = '') =>
      read<Page>(`/api/v2/search?kind=${kind}&query=${encodeURIComponent(query)}${rest}`)
    expect(subjectsOf(await search('to', 'SECOND@example.org'))).toEqual(['three', 'two'])
    expect(subjectsOf(await search('from', 'issuer@'))).toEqual(['two', 'one'])
    expect(subjectsOf(await search('containing', 'nEEDLE'))).toEqual(['two'])
    expect(subjectsOf(await search('containing', 'thre'))).toEqual(['three'])
    expect(await search('to', 'second', '&start=1&limit=1')).toMatchObject({
      total: 2,
      count: 1,
      start: 1,
    })
    expect(await search('to', 'nobody')).toMatchObject({ total: 0, count: 0, items: [] })
    const answer = await get('/api/v2/search?kind=to&query=second')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    for (const query of ['kind=subject&query=a', 'query=a', 'kind=to', 'kind=to&query=', '']) {
      expect((await get(`/api/v2/search?${query}`)).status).toBe(400)
    }
  })

  it('GET /api/v1/messages and /api/v1/messages/{id} return emails with all their members', async () => {
    await send({
      html: '<p>Scan <img src="cid:qr"></p>',
      attachments: [{ filename: 'qr.png', content: Buffer.from('89504e47', 'hex'), cid: 'qr' }],
    })
    const list = await get('/api/v1/messages')
    expect(list.headers.get('content-type')).toMatch(/^text\/json/)
    const [listed] = (await list.json()) as Message[]
    const mail = await read<Message>(`/api/v1/messages/${encodeURIComponent(listed?.ID ?? '')}`)
    expect(mail.ID).toBe(listed?.ID)
    expect(mail).toMatchObject({
      From: { Relays: null, Mailbox: 'issuer', Domain: 'example.org', Params: '' },
      To: [{ Relays: null, Mailbox: 'ana.ruiz', Domain: 'example.org', Params: '' }],
      Content: {
        Headers: {
          Subject: ['one'],
          'Return-Path': ['<issuer@example.org>'],
          Received: [expect.stringMatching(/^from \S+ by .+\r\n {10}id \S+@\S+; .+ \+0000$/)],
          'Message-ID': [expect.stringMatching(/^<.+>$/)],
        },
        Size: expect.any(Number),
        MIME: null,
      },
      Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      Raw: { From: 'issuer@example.org', To: ['ana.ruiz@example.org'], Helo: expect.any(String) },
    })
    const [text, related] = mail.MIME?.Parts ?? []
    expect(text).toMatchObject({ Headers: { 'Content-Type': ['text/plain; charset=utf-8'] } })
    expect(text?.Body).toContain('first line\r\n.dot first')
    const [markup, image] = related?.MIME?.Parts ?? []
    expect(markup?.Headers['Content-Type']).toEqual(['text/html; charset=utf-8'])
    expect(image).toMatchObject({ Headers: { 'Content-ID': ['<qr>'] }, Body: 'iVBORw==' })
  })

  it('an email without Message-ID gets one', async () => {
    const envelope = { from: 'a@example.org', to: 'b@example.org' }
    const raw = 'From: a@example.org\r\nSubject: bare\r\n\r\nNothing else.\r\n'
    await createTransport(server.smtpUrl).sendMail({ envelope, raw })
    const { items } = await read<Page>('/api/v2/messages')
    expect(items[0]?.Content.Headers['Message-ID']).toEqual([items[0]?.ID])
    expect(items[0]?.MIME).toBeNull()
  })

  it('GET …/download returns the email as a file', async () => {
    await send({ subject: 'Señal' })
    const [{ ID } = { ID: '' }] = await read<Message[]>('/api/v1/messages')
    const download = await get(`/api/v1/messages/${encodeURIComponent(ID)}/download`)
    expect(download.headers.get('content-type')).toMatch(/^message\/rfc822/)
    expect(download.headers.get('content-disposition')).toBe(`attachment; filename="${ID}.eml"`)
    const mail = await PostalMime.parse(await download.arrayBuffer())
    expect(mail).toMatchObject({ subject: 'Señal', to: [{ address: 'ana.ruiz@example.org' }] })
    expect(mail.text).toContain('.dot first')
  })

  it('GET …/mime/part/{part}/download returns a part, decoded if it is base64', async () => {
    const content = Buffer.from([0, 1, 2, 253, 254, 255])
    await send({ attachments: [{ filename: 'a.bin', content, contentType: 'image/png' }] })
    const [{ ID } = { ID: '' }] = await read<Message[]>('/api/v1/messages')
    const path = `/api/v1/messages/${encodeURIComponent(ID)}/mime/part`
    const text = await get(`${path}/0/download`)
    expect(text.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await text.text()).toContain('first line')
    const image = await get(`${path}/1/download`)
    expect(image.headers.get('content-type')).toMatch(/^image\/png/)
    expect(Buffer.from(await image.arrayBuffer())).toEqual(content)
  })

  it('DELETE /api/v1/messages/{id} and /api/v1/messages delete', async () => {
    for (const subject of ['one', 'two']) await send({ subject })
    const { items } = await read<Page>('/api/v2/messages')
    const path = `/api/v1/messages/${encodeURIComponent(items[0]?.ID ?? '')}`
    expect((await get(path, 'DELETE')).status).toBe(200)
    expect(subjectsOf(await read<Page>('/api/v2/messages'))).toEqual(['one'])
    // MailHog fails with 500 if there is none; clients must not rely on that.
    expect((await get(path, 'DELETE')).status).toBeGreaterThanOrEqual(400)
    const gone = await get(path)
    expect(gone.status === 200 ? await gone.json() : null).toBeNull()
    expect((await get('/api/v1/messages', 'DELETE')).status).toBe(200)
    expect(await read<Page>('/api/v2/messages')).toMatchObject({ total: 0, items: [] })
  })

  it('has no chaos monkey and no outgoing servers by default', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await get('/api/v2/jim', method)).status).toBe(404)
    }
    expect(await read('/api/v2/outgoing-smtp')).toEqual({})
  })

  it('serves the mailhog client', async () => {
    await send({ subject: 'one', to: 'first@example.org' })
    await send({ subject: 'Señal', html: '<p>markup</p>', text: 'Grüße' })
    const client = mailhog({ host: '127.0.0.1', port: Number(new URL(server.baseUrl).port) })
    const list = await client.messages()
    expect(list).toMatchObject({ total: 2, count: 2, start: 0 })
    expect(list?.items.map(({ subject }) => subject)).toEqual(['Señal', 'one'])
    const latest = await client.latestTo('ana.ruiz@example.org')
    expect(latest).toMatchObject({ from: 'Issuer <issuer@example.org>', subject: 'Señal' })
    expect(latest?.text).toContain('Grüße')
    expect(latest?.html).toContain('<p>markup</p>')
    expect((await client.search('first', 'to'))?.total).toBe(1)
    expect((await client.latestContaining('MARKUP'))?.subject).toBe('Señal')
    expect(await client.latestTo('nobody@example.org')).toBeFalsy()
    await client.deleteMessage(latest?.ID ?? '')
    expect((await client.messages())?.items.map(({ subject }) => subject)).toEqual(['one'])
    await client.deleteAll()
    expect((await client.messages())?.total).toBe(0)
  })
})

describe('GET /api/v1/events of the embedded mail server', () => {
  it('reports each email as it arrives', async () => {
    const server = await startEmbedded()
    const stop = new AbortController()
    const response = await fetch(`${server.baseUrl}/api/v1/events`, { signal: stop.signal })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const arrived = (async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true })
        const data = /^data: (.*)\n\n/m.exec(text)?.[1]
        if (data !== undefined) return JSON.parse(data) as Message
      }
      return undefined
    })()
    const envelope = { from: 'a@example.org', to: 'b@example.org' }
    await createTransport(server.smtpUrl).sendMail({ envelope, subject: 'now', text: 'x' })
    expect((await arrived)?.Content.Headers.Subject).toEqual(['now'])
    stop.abort()
    await server.stop()
  })

  it('ends with its headers if the request is HEAD', async () => {
    const server = await startEmbedded()
    const requests = [
      { method: 'HEAD', path: '/api/v1/events' },
      { method: 'GET', path: '/health' },
    ]
    expect(await requestInTurn(server.baseUrl, requests)).toEqual([200, 200])
    await server.stop()
  })
})

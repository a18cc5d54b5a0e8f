import mailhog from 'mailhog'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { zMailConfig } from '#services/mail/config.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import { createTestRuntime } from '#test/support/create-test-runtime.ts'
import { type RunningService, startService } from '#test/support/start-service.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const start = (config: object = {}) =>
  startService((baseUrl) =>
    createMailService(zMailConfig.parse({ baseUrl, ...config }), createTestRuntime()),
  )

const clientOf = ({ baseUrl }: RunningService) =>
  mailhog({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })

const send = (server: RunningService<MailService>, mail: object = {}) =>
  createTransport(server.service.smtpUrl).sendMail({
    from: 'Issuer <issuer@example.org>',
    to: 'Ana Ruiz <ana.ruiz@example.org>',
    subject: 'Señal',
    text: 'Accept it: openid-credential-offer://?credential_offer_uri=http%3A%2F%2Fa\n.dot first',
    html: '<p>Scan <img src="cid:qr"></p><script>alert(1)</script>',
    attachments: [{ filename: 'qr.png', content: Buffer.from('89504e47', 'hex'), cid: 'qr' }],
    ...mail,
  })

let server: RunningService<MailService>
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())
beforeEach(() => clientOf(server).deleteAll())

describe('the embedded mail server, driven by nodemailer and the mailhog client', () => {
  it('lists what was sent, with decoded subject and text', async () => {
    await send(server)
    const list = await clientOf(server).messages()
    expect(list).toMatchObject({ total: 1, count: 1, start: 0 })
    const [mail] = list?.items ?? []
    expect(mail?.subject).toBe('Señal')
    expect(mail?.from).toBe('Issuer <issuer@example.org>')
    expect(mail?.text).toContain('openid-credential-offer://?credential_offer_uri=http%3A%2F%2Fa')
    expect(mail?.text).toContain('\r\n.dot first')
    expect(Date.now() - Number(mail?.deliveryDate)).toBeLessThan(10_000)
  })

  it('finds by recipient, sender and content, the newest first', async () => {
    await send(server, { to: 'first@example.org', subject: 'one' })
    await send(server, { to: 'Second@example.org', subject: 'two' })
    await send(server, { to: 'second@example.org', subject: 'three' })
    const client = clientOf(server)
    expect((await client.latestTo('second@EXAMPLE.org'))?.subject).toBe('three')
    expect((await client.search('second', 'to'))?.total).toBe(2)
    expect((await client.search('issuer@example.org', 'from', 1, 1))?.items[0]?.subject).toBe('two')
    expect((await client.latestContaining('dot FIRST'))?.subject).toBe('three')
    expect(await client.latestTo('nobody@example.org')).toBeFalsy()
    expect((await client.messages(1, 1))?.items[0]?.subject).toBe('two')
  })

  it('deletes one mail, then all', async () => {
    await send(server, { subject: 'one' })
    await send(server, { subject: 'two' })
    const client = clientOf(server)
    const newest = (await client.messages())?.items[0]
    await client.deleteMessage(newest?.ID ?? '')
    expect((await client.messages())?.items.map(({ subject }) => subject)).toEqual(['one'])
    await client.deleteAll()
    expect((await client.messages())?.total).toBe(0)
  })

  it('has the members of MailHog API v1, and the mail as it was received', async () => {
    await send(server)
    const [listed] = (await (await fetch(`${server.baseUrl}/api/v1/messages`)).json()) as {
      ID: string
    }[]
    const address = `${server.baseUrl}/api/v1/messages/${encodeURIComponent(listed?.ID ?? '')}`
    const mail = (await (await fetch(address)).json()) as Record<string, unknown>
    expect(mail).toMatchObject({
      From: { Relays: null, Mailbox: 'issuer', Domain: 'example.org', Params: '' },
      To: [{ Mailbox: 'ana.ruiz', Domain: 'example.org' }],
      Content: { Headers: { 'MIME-Version': ['1.0'] }, MIME: null },
      MIME: {
        Parts: [
          { Headers: { 'Content-Type': ['text/plain; charset=utf-8'] } },
          {
            MIME: {
              Parts: [
                { Headers: { 'Content-Type': ['text/html; charset=utf-8'] } },
                { Headers: { 'Content-ID': ['<qr>'] }, Body: expect.stringMatching(/^iVBORw==/) },
              ],
            },
          },
        ],
      },
      Raw: { From: 'issuer@example.org', To: ['ana.ruiz@example.org'] },
    })
    const download = await fetch(`${address}/download`)
    expect(download.headers.get('content-type')).toMatch(/^message\/rfc822/)
    const parsed = await PostalMime.parse(await download.arrayBuffer())
    expect(parsed.subject).toBe('Señal')
    expect(parsed.attachments[0]?.contentId).toBe('<qr>')
    const part = await fetch(`${address}/mime/part/0/download`)
    expect(await part.text()).toContain('openid-credential-offer')
    expect((await fetch(`${address}/mime/part/7/download`)).status).toBe(404)
  })

  it('answers 404 and 400 to what is not there or makes no sense', async () => {
    expect((await fetch(`${server.baseUrl}/api/v1/messages/none`)).status).toBe(404)
    expect(
      (await fetch(`${server.baseUrl}/api/v1/messages/none`, { method: 'DELETE' })).status,
    ).toBe(404)
    expect((await fetch(`${server.baseUrl}/api/v2/search?kind=x&query=a`)).status).toBe(400)
    expect((await fetch(`${server.baseUrl}/api/v2/search?kind=to`)).status).toBe(400)
  })

  it('shows an inbox and each mail, without letting its markup do anything', async () => {
    await send(server, { subject: '<b>bold</b>' })
    const inbox = await (await fetch(server.baseUrl)).text()
    expect(inbox).toContain('&lt;b&gt;bold&lt;/b&gt;')
    const link = /href="(\/messages\/[^"]+)"/.exec(inbox)?.[1]
    const page = await fetch(server.baseUrl + link)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const markup = await page.text()
    expect(markup).toContain('<iframe sandbox=""')
    expect(markup).not.toContain('<script>')
    expect(markup).toContain('data:image/png;base64,iVBORw==')
  })
})

describe('a mail that no parser takes', () => {
  it('is kept once, and hides no other mail', async () => {
    const runtime = { ...createTestRuntime(), traces: { enabled: true, record() {} } }
    const tracing = await startService((baseUrl) =>
      createMailService(zMailConfig.parse({ baseUrl }), runtime),
    )
    onTestFinished(() => tracing.stop())
    // More levels than the 256 that the parser takes.
    const levels = Array.from({ length: 300 }, (_, level) => level)
    const raw = levels
      .map(
        (level) =>
          `${level === 0 ? 'Subject: deep\r\n' : `--b${level - 1}\r\n`}Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n`,
      )
      .join('')
    const transport = createTransport(tracing.service.smtpUrl)
    const envelope = { from: 'issuer@example.org', to: 'ana.ruiz@example.org' }
    await transport.sendMail({ envelope, raw })
    await send(tracing, { subject: 'harmless' })
    const inbox = await fetch(tracing.baseUrl)
    expect(inbox.status).toBe(200)
    const markup = await inbox.text()
    expect(markup).toContain('harmless')
    const links = [...markup.matchAll(/href="(\/messages\/[^"]+)"/g)]
    expect(links).toHaveLength(2)
    for (const [, link] of links) expect((await fetch(tracing.baseUrl + link)).status).toBe(200)
  })
})

describe('the mail store', () => {
  it('keeps mails over a restart and drops the oldest beyond its limit', async () => {
    const databaseUrl = `sqlite:${createTemporaryFolder()}/mail.sqlite`
    const first = await start({ databaseUrl, maxMessages: 2 })
    for (const subject of ['one', 'two', 'three']) await send(first, { subject })
    await first.stop()
    const second = await start({ databaseUrl, maxMessages: 2 })
    const list = await clientOf(second).messages()
    expect(list?.items.map(({ subject }) => subject)).toEqual(['three', 'two'])
    await second.stop()
  })

  it('refuses a mail that is too large, and goes on', async () => {
    const small = await start({ maxMessageBytes: 2000 })
    const sent = send(small, { text: 'x'.repeat(5000) })
    await expect(sent).rejects.toMatchObject({ responseCode: 552 })
    await send(small, { html: 'short', text: 'short', attachments: [] })
    expect((await clientOf(small).messages())?.total).toBe(1)
    await small.stop()
  })

  it('does not start where the SMTP port is taken', async () => {
    const port = Number(new URL(server.service.smtpUrl).port)
    await expect(start({ smtpPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

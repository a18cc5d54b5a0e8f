import { DatabaseSync } from 'node:sqlite'
import mailhog from 'mailhog'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const start = (config: object = {}) =>
  startService((baseUrl) => createMailService({ baseUrl, ...config }, createTestRuntime()))

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

describe('the embedded mail server', () => {
  it('returns 404 for unknown ids and 400 for invalid requests', async () => {
    const { baseUrl } = server
    for (const path of ['none', 'none/download', 'none/mime/part/0/download']) {
      expect((await fetch(`${baseUrl}/api/v1/messages/${path}`)).status).toBe(404)
    }
    await send(server)
    const [mail] = (await clientOf(server).messages())?.items ?? []
    const parts = `${baseUrl}/api/v1/messages/${encodeURIComponent(mail?.ID ?? '')}/mime/part`
    expect((await fetch(`${parts}/7/download`)).status).toBe(404)
    for (const part of ['-1', 'x', '1e9', '']) {
      expect((await fetch(`${parts}/${part}/download`)).status).toBeGreaterThanOrEqual(400)
    }
  })

  it('serves a part of an email without scripts on its own page', async () => {
    await send(server, { text: '<script>alert(1)</script>', html: undefined, attachments: [] })
    const odd = 'Content-Type: text/html\u0001\r\n\r\n<script>1</script>'
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${odd}\r\n--b--\r\n`
    const envelope = { from: 'a@example.org', to: 'b@example.org' }
    await createTransport(server.service.smtpUrl).sendMail({ envelope, raw })
    const [mail] = (await clientOf(server).messages())?.items ?? []
    const id = encodeURIComponent(mail?.ID ?? '')
    const part = await fetch(`${server.baseUrl}/api/v1/messages/${id}/mime/part/0/download`)
    expect(part.status).toBe(200)
    expect(part.headers.get('content-type')).toBe('application/octet-stream')
    expect(part.headers.get('content-security-policy')).toContain('sandbox')
    expect(part.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('shows the inbox and each email, with inert markup', async () => {
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

/** What is recorded of one email. */
async function recordMail(mail: object): Promise<{ hop: Omit<Hop, 'id'>; bytes: number }> {
  const recorded: { hop: Omit<Hop, 'id'>; bytes: number }[] = []
  const traces = {
    enabled: true,
    record: (describe: () => Omit<Hop, 'id'>, bytes: number) => {
      const hop = describe()
      if (hop.kind === 'mail') recorded.push({ hop, bytes })
    },
  }
  const tracing = await startService((baseUrl) =>
    createMailService({ baseUrl }, { ...createTestRuntime(), traces }),
  )
  await send(tracing, { html: undefined, attachments: [], ...mail })
  await tracing.stop()
  return recorded[0] ?? expect.unreachable()
}

describe('the trace of an email', () => {
  it('contains no usable code from its subject, text or addresses', async () => {
    const code = 'uBhCqe8TJfO2nM3x'
    const link = `x://?credential_offer=%7b%22pre-authorized_code%22%3a%22${code}%22%7d`
    const to = [`"ticket=${code}"@example.org`]
    const { hop } = await recordMail({ subject: link, text: `Accept: ${link}`, envelope: { to } })
    expect(hop.requestBody).toMatchObject({ subject: expect.stringContaining('uBhCqe8T…') })
    expect(JSON.stringify(hop)).not.toContain(code)
  })
})

describe('the size of the trace of an email', () => {
  it('is that of its recipients, subject and text, each of them limited', async () => {
    const to = Array.from({ length: 400 }, (_, n) => `${'recipient'.repeat(6)}-${n}@example.org`)
    const text = 'é'.repeat(100_000)
    const { hop, bytes } = await recordMail({ subject: 's'.repeat(500), text, envelope: { to } })
    expect(hop.url).toMatch(/^mailto:recipient.*…$/)
    expect(hop.url).toHaveLength(4097)
    const body = hop.requestBody as { text: string }
    expect(body.text).toHaveLength(65_537)
    expect(bytes).toBeGreaterThan(4096 + 500 + 2 * 65_536)
    expect(bytes).toBeLessThan(4096 + 500 + 2 * 65_536 + 100)
  })
})

describe('the trace of an email from', () => {
  const identified = { 'X-Request-Id': 'a1b2-c3', 'X-Scenario-Id': 'issuance/offer' }

  it('the issuer names it and its identifiers', async () => {
    const { hop } = await recordMail({
      headers: { ...identified, 'X-Mailer': 'lear-testbed/issuer' },
    })
    expect(hop).toMatchObject({
      from: 'issuer',
      requestId: 'a1b2-c3',
      scenarioId: 'issuance/offer',
    })
  })

  it.each(['verifier', 'lear-testbed/verifier', 'lear-testbed/<img src=x>', 'Mozilla/5.0', ''])(
    'X-Mailer "%s" names a client',
    async (mailer) => {
      const { hop } = await recordMail({ headers: { 'X-Mailer': mailer } })
      expect(hop.from).toBe('client')
    },
  )

  it('another client contains no identifier that HTTP would refuse', async () => {
    const headers = { 'X-Request-Id': 'r'.repeat(129), 'X-Scenario-Id': '<img src=x>' }
    const { hop } = await recordMail({ headers })
    expect(hop).not.toHaveProperty('requestId')
    expect(hop).not.toHaveProperty('scenarioId')
  })
})

describe('an email that cannot be parsed', () => {
  it('is stored once, and does not hide other emails', async () => {
    const runtime = { ...createTestRuntime(), traces: { enabled: true, record() {} } }
    const tracing = await startService((baseUrl) => createMailService({ baseUrl }, runtime))
    onTestFinished(() => tracing.stop())
    // More levels than the 256 that the parser accepts.
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
  it('keeps emails across a restart and drops the oldest beyond its limit', async () => {
    const databaseUrl = `sqlite:${createTemporaryFolder()}/mail.sqlite`
    const first = await start({ databaseUrl, maxMessages: 2 })
    for (const subject of ['one', 'two', 'three']) await send(first, { subject })
    await first.stop()
    const second = await start({ databaseUrl, maxMessages: 2 })
    const list = await clientOf(second).messages()
    expect(list?.items.map(({ subject }) => subject)).toEqual(['three', 'two'])
    await second.stop()
  })

  it('drops the oldest beyond its limit in bytes', async () => {
    const small = await start({ maxBytes: 60_000 })
    for (const subject of ['one', 'two', 'three', 'four', 'five']) {
      await send(small, { subject, text: 'x'.repeat(5000), html: undefined, attachments: [] })
    }
    const list = await clientOf(small).messages()
    // An email of 5 kB takes 13 kB: 7 kB in base64, and 5 kB for searches.
    expect(list?.items.map(({ subject }) => subject)).toEqual(['five', 'four', 'three', 'two'])
    await send(small, { subject: 'six', text: 'x'.repeat(15_000), html: undefined })
    const subjects = (await clientOf(small).messages())?.items.map(({ subject }) => subject)
    expect(subjects).toEqual(['six', 'five'])
    await small.stop()
  })

  it('searches for characters that are special in SQL, and for other scripts', async () => {
    for (const subject of ['100 %', '100 of', 'a_b', 'axb', 'a\\b', 'ÑANDÚ']) {
      await send(server, { subject: `<${subject}>`, text: subject, html: undefined })
    }
    const search = async (query: string) => {
      const path = `/api/v2/search?kind=containing&query=${encodeURIComponent(query)}`
      const answer = await fetch(server.baseUrl + path)
      return ((await answer.json()) as { total?: number }).total
    }
    expect(await search('100 %>')).toBe(1)
    expect(await search('a_b>')).toBe(1)
    expect(await search('a\\b>')).toBe(1)
    expect(await search('%')).toBe(1)
    expect(await search('x'.repeat(1001))).toBeUndefined()
  })

  it('migrates the emails of version 0.1.0', async () => {
    const path = `${createTemporaryFolder()}/mail.sqlite`
    const former = new DatabaseSync(path)
    former.exec(`
      create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
      insert into kysely_migration values ('2026-01-mails', '2026-09-01T00:00:00.000Z');
      create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
      insert into kysely_migration_lock values ('migration_lock', 0);
      create table mails (id text primary key, received_at bigint not null unique, mail_from text not null,
        recipients text not null, helo text not null, data text not null);`)
    const insert = former.prepare('insert into mails values (?, ?, ?, ?, ?, ?)')
    for (const [index, subject] of ['one', 'two'].entries()) {
      const data = Buffer.from(`To: B@example.org\r\nSubject: ${subject}\r\n\r\ntext\r\n`)
      insert.run(subject, index, 'a@b.c', '["b@example.org"]', 'host', data.toString('base64'))
    }
    former.close()
    const upgraded = await start({ databaseUrl: `sqlite:${path}` })
    const found = await clientOf(upgraded).search('b@example.org', 'to')
    expect(found?.items.map(({ subject }) => subject)).toEqual(['two', 'one'])
    expect(await (await fetch(upgraded.baseUrl)).text()).toContain('one')
    await upgraded.stop()
  })

  it('rejects an email that is too large, and continues', async () => {
    const small = await start({ maxMessageBytes: 2000 })
    const sent = send(small, { text: 'x'.repeat(5000) })
    await expect(sent).rejects.toMatchObject({ responseCode: 552 })
    await send(small, { html: 'short', text: 'short', attachments: [] })
    expect((await clientOf(small).messages())?.total).toBe(1)
    await small.stop()
  })

  it('does not start if the SMTP port is in use', async () => {
    const port = Number(new URL(server.service.smtpUrl).port)
    await expect(start({ smtpPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { createTransport } from 'nodemailer'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '#kit/log.ts'
import { createMailService } from '#services/mail/create-mail-service.ts'
import { createMailhogMessage, searchTextsOf } from '#services/mail/domain/mailhog-message.ts'
import { readMail } from '#services/mail/domain/read-mail.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

const fill = (text: string, size: number) => text.repeat(Math.ceil(size / text.length))
const multipart = (body: string) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}`
const htmlPart = (body: string) =>
  multipart(`--b\r\nContent-Type: text/html\r\n\r\n${body}\r\n--b\r\n\r\nx\r\n--b--`)

const mails: readonly [string, (size: number) => string][] = [
  ['one header very often', (size) => `${fill('X: y\r\n', size)}\r\n`],
  [
    'many headers',
    (size) => `${Array.from({ length: size / 8 }, (_, i) => `X${i}: y\r\n`).join('')}\r\n`,
  ],
  ['a header folded very often', (size) => `X: a${fill('\r\n ', size)}\r\n\r\n`],
  [
    'many parameters',
    (size) => `Content-Type: multipart/mixed${fill('; boundary=', size)}\r\n\r\n`,
  ],
  ['a long run of spaces', (size) => `Content-Type: multipart/mixed;${fill(' ', size)}\r\n\r\n`],
  ['many parts', (size) => multipart(fill('--b\r\n\r\n\r\n', size))],
  [
    'deep nesting',
    (size) =>
      Array.from(
        { length: size / 64 },
        (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
      ).join(''),
  ],
  ['short lines', (size) => `\r\n${fill('a\r\n', size)}`],
  ['open links', (size) => htmlPart(fill('<a href="', size))],
  ['encoded words', (size) => `Subject: ${fill('=?utf-8?b?YQ==?= ', size)}\r\n\r\n`],
  [
    'soft line breaks',
    (size) => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill('=41=\r\n', size)}`,
  ],
  ['recipients', (size) => `To: ${fill('a@b.example, ', size)}\r\n\r\n`],
]

const received = (data: Uint8Array) => ({
  id: '1@lear-testbed',
  receivedAt: 0,
  from: 'a@example.org',
  to: ['b@example.org'],
  helo: '',
  data,
})

describe('a hostile email', () => {
  it.each(mails)('is parsed in linear time with %s', (_, create) => {
    const growth = measureGrowth(
      (size) => Buffer.from(create(size)),
      (data) => [
        readMail(data),
        JSON.stringify(createMailhogMessage(received(data))),
        searchTextsOf(received(data)),
      ],
    )
    expect(growth).toBeLessThan(linearGrowth)
  })

  it('yields a page of about its own size, however often it refers to an image', async () => {
    const { baseUrl, service, stop } = await startService((url) =>
      createMailService({ baseUrl: url }, createTestRuntime()),
    )
    onTestFinished(() => stop())
    const content = Buffer.alloc(20_000, 1)
    await createTransport(service.smtpUrl).sendMail({
      from: 'a@example.org',
      to: 'b@example.org',
      html: '<img src="cid:i">'.repeat(1000),
      attachments: [{ filename: 'i.png', content, cid: 'i', contentType: 'image/png' }],
    })
    const list = await fetch(`${baseUrl}/api/v1/messages`)
    const [mail] = (await list.json()) as [{ ID: string; Raw: { Data: string } }]
    const page = await fetch(`${baseUrl}/messages/${encodeURIComponent(mail.ID)}`)
    expect(await page.text()).toContain('data:image/png;base64,AQEB')
    const { length } = await (await fetch(page.url)).text()
    expect(length).toBeLessThan(10 * mail.Raw.Data.length)
  })

  it('goes to a limited number of recipients', async () => {
    const { service, stop } = await startService((url) =>
      createMailService({ baseUrl: url }, createTestRuntime()),
    )
    onTestFinished(() => stop())
    const to = Array.from({ length: 501 }, (_, i) => `a${i}@example.org`)
    const sent = await createTransport(service.smtpUrl).sendMail({
      envelope: { from: 'a@b.c', to },
    })
    expect(sent.accepted).toHaveLength(500)
    expect(sent.rejectedErrors?.map(({ responseCode }) => responseCode)).toEqual([452])
  })

  it('whose client disconnects is not logged as an error', async () => {
    const logged: { level: number; msg: string }[] = []
    const destination = { write: (line: string) => void logged.push(JSON.parse(line)) }
    const runtime = createTestRuntime({ log: createLog({ level: 'debug', destination }) })
    const { service, stop } = await startService((url) =>
      createMailService({ baseUrl: url }, runtime),
    )
    onTestFinished(() => stop())
    const socket = connect(Number(new URL(service.smtpUrl).port), '127.0.0.1')
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
    const readReply = async () => {
      // Only the last line of a reply has a space after its code.
      for (let line = ''; !/^\d{3} /.test(line); ) {
        const { value, done } = await lines.next()
        if (done) throw new Error('The server has disconnected')
        line = value
      }
    }
    for (const command of ['', 'EHLO a', 'MAIL FROM:<a@b.c>', 'RCPT TO:<a@b.c>', 'DATA']) {
      if (command !== '') socket.write(`${command}\r\n`)
      await readReply()
    }
    socket.destroy()
    const message = 'a client disconnected in the middle of an email'
    await expect.poll(() => logged.map(({ msg }) => msg)).toContain(message)
    // The service has ended, so that nothing is logged later.
    await stop()
    expect(logged.filter(({ level }) => level > 30)).toEqual([])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '#scenarios/harness/http-client.ts'
import { createMailbox, type Mailbox } from '#scenarios/harness/mailbox.ts'
import { createMailer } from '#services/issuer/adapters/mail-client.ts'
import { zMailConfig } from '#services/mail/config.ts'
import { createMailService, type MailService } from '#services/mail/create-mail-service.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'

const png = Buffer.from('89504e470d0a1a0a00ff', 'hex')
let server: RunningService<MailService>
let mailer: ReturnType<typeof createMailer>
let mailbox: Mailbox

beforeAll(async () => {
  const runtime = createTestRuntime()
  server = await startService((baseUrl) =>
    createMailService(zMailConfig.parse({ baseUrl }), runtime),
  )
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

describe('createMailbox', () => {
  it('reads HTML, text and images of an offer mail with the mailhog client', async () => {
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

  it('reads a subject that needs several encoded words', async () => {
    const subject = `Tu credencial de Construcción y Diseño ${'Ñandú '.repeat(20)}S. A.`
    await send('ana@example.org', subject)
    expect((await mailbox.receive('ana@example.org')).subject).toBe(subject)
  })

  it('lists what is there without waiting, newest first', async () => {
    await send('ana@example.org', 'first')
    await send('eva@example.org')
    await send('ana@example.org', 'second')
    const subjects = (await mailbox.list('ana@example.org')).map(({ subject }) => subject)
    expect(subjects).toEqual(['second', 'first'])
    expect(await mailbox.list('other@example.org')).toEqual([])
  })

  it('waits for a mail that has not arrived yet', async () => {
    const received = mailbox.receive('ana@example.org')
    await send('ana@example.org')
    expect((await received).from).toBe('issuer@example.org')
  })

  it('reports a mail that does not arrive in time', async () => {
    await expect(mailbox.receive('other@example.org', 10)).rejects.toMatchObject({
      code: 'not_in_time',
    })
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '#scenarios/harness/http-client.ts'
import { createMailbox, type Mailbox } from '#scenarios/harness/mailbox.ts'

/** What MailHog keeps of a mail: its text as it came over SMTP. */
let received: string[] = []
/** How many searches find nothing yet. */
let late = 0

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const isSearch = url.pathname === '/api/v2/search' && url.searchParams.get('kind') === 'to'
  const address = url.searchParams.get('query') ?? ''
  late -= 1
  const found = late >= 0 ? [] : received.filter((data) => data.includes(`To: ${address}`))
  const items = found.map((Data) => ({ ID: '1', Raw: { From: '', To: [address], Data } }))
  response.writeHead(isSearch ? 200 : 404, { 'content-type': 'text/json' })
  response.end(JSON.stringify({ total: items.length, count: items.length, start: 0, items }))
})

let mailbox: Mailbox
const png = Buffer.from('89504e470d0a1a0a00ff', 'hex')

beforeEach(async () => {
  received = []
  late = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { signal } = new AbortController()
  const http = createHttpClient({ caller: 'mailbox', scenarioId: () => 'x@1:0', signal })
  mailbox = createMailbox(
    http,
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signal,
  )
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function composeMail(to: string): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const sent = await transport.sendMail({
    from: 'issuer@example.org',
    to,
    subject: 'Tu credencial está lista',
    text: 'Escanea el código',
    html: '<p>Escanea el código</p><img src="cid:qr">',
    attachments: [{ filename: 'qr.png', content: png, cid: 'qr', contentType: 'image/png' }],
  })
  return String(sent.message)
}

describe('createMailbox', () => {
  it('gives the newest mail to an address, decoded, with its images as they were sent', async () => {
    received = [await composeMail('ana@example.org'), await composeMail('eva@example.org')]
    const mail = await mailbox.receive('ana@example.org')
    expect(mail).toMatchObject({
      subject: 'Tu credencial está lista',
      from: 'issuer@example.org',
      images: [{ name: 'qr.png', mimeType: 'image/png', contentId: 'qr' }],
    })
    expect(mail.text).toContain('Escanea el código')
    expect(Buffer.from(mail.images[0]?.bytes ?? []).equals(png)).toBe(true)
  })

  it('lists what is there without waiting', async () => {
    const ana = await composeMail('ana@example.org')
    received = [ana, await composeMail('eva@example.org'), ana]
    const subjects = (await mailbox.list('ana@example.org')).map(({ subject }) => subject)
    expect(subjects).toEqual(['Tu credencial está lista', 'Tu credencial está lista'])
    expect(await mailbox.list('nobody@example.org')).toEqual([])
  })

  it('waits for a mail that is still under way', async () => {
    received = [await composeMail('ana@example.org')]
    late = 2
    expect((await mailbox.receive('ana@example.org')).from).toBe('issuer@example.org')
  })

  it('says that none came', async () => {
    await expect(mailbox.receive('nobody@example.org', 10)).rejects.toMatchObject({
      code: 'not_in_time',
    })
  })
})

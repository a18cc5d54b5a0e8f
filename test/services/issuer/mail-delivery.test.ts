import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createMailOutbox, type MailOutcome } from '#services/issuer/adapters/mail-outbox.ts'
import { type IssuerTables, issuerMigrations, type MailRow } from '#services/issuer/tables.ts'
import {
  codeOf,
  createCredentialRequestBody,
  grantType,
  type IssuanceSystem,
  postForm,
  postJson,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { readMail, startSmtpServer, type TestSmtpServer } from '#test/support/mail.ts'
import { createStandingRuntime } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

async function startWith(
  smtp: TestSmtpServer,
  issuer: Record<string, unknown> = {},
): Promise<IssuanceSystem> {
  const system = await startIssuanceSystem({ issuer: { smtpUrl: smtp.url, ...issuer } })
  let stopped = false
  const { stop } = system
  const stopOnce = async () => {
    if (!stopped) await stop()
    stopped = true
  }
  onTestFinished(stopOnce)
  return { ...system, stop: stopOnce }
}

const requestEmployee = async (
  { issuer, tokenIssuer }: IssuanceSystem,
  body: object = {},
  claims: Record<string, unknown> = {},
) =>
  postJson(
    `${issuer.baseUrl}/issuance/employee`,
    { email: 'ana.ruiz@example.org', power: [power], ...body },
    { authorization: `Bearer ${await tokenIssuer.mint(claims)}` },
  )

const waitForMails = (smtp: TestSmtpServer, count: number) =>
  vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThanOrEqual(count), { timeout: 8000 })

async function readOffer(raw: string | undefined) {
  const mail = await readMail(Buffer.from(raw ?? '', 'latin1'))
  const link = new URL(/openid-credential-offer:\S+/.exec(mail.text ?? '')?.[0] ?? '')
  const offer = JSON.parse(link.searchParams.get('credential_offer') ?? '')
  return { ...mail, link: link.href, offer }
}

const redeemCode = (offer: { credential_issuer: string }) =>
  postForm(`${offer.credential_issuer}/token`, {
    grant_type: grantType,
    'pre-authorized_code': codeOf(offer as never),
  })

async function redeem(offer: { credential_issuer: string }) {
  const token = await redeemCode(offer)
  if (token.status !== 200) return token
  return postJson(
    `${offer.credential_issuer}/credential`,
    createCredentialRequestBody(offer.credential_issuer, token.body.c_nonce),
    { authorization: `Bearer ${token.body.access_token}` },
  )
}

const queued = 'The credential offer is queued and will be sent to ana.ruiz@example.org'

describe('the languages of the mail', () => {
  it('are those of request, organization and issuer, in this order', async () => {
    const smtp = await startSmtpServer()
    const system = await startWith(smtp, { organizationLanguages: { 'VATES-B00000000': 'es' } })
    const spanish = { organization_identifier: 'VATES-B00000000' }
    await requestEmployee(system)
    await requestEmployee(system, {}, spanish)
    await requestEmployee(system, { language: 'en' }, spanish)
    await requestEmployee(system, { language: 'es' })
    await waitForMails(smtp, 4)
    const mails = await Promise.all(smtp.mails.map(readOffer))
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your credential from Ejemplo S.A.',
      'Su credencial de Ejemplo S.A.',
      'Your credential from Ejemplo S.A.',
      'Su credencial de Ejemplo S.A.',
    ])
    expect(mails[1]?.html).toContain('<html lang="es">')
    expect(mails[1]?.text).toContain('válidos durante 5 minutos')
    expect(mails[0]?.text).toContain('valid for 5 minutes')
    expect((await requestEmployee(system, { language: 'tlh' })).status).toBe(400)
  })

  it('may be another one by default', async () => {
    const smtp = await startSmtpServer()
    const system = await startWith(smtp, { mailLanguage: 'es', employeeQrExpirationTime: 86_400 })
    await requestEmployee(system)
    const mail = await readOffer(smtp.mails[0])
    expect(mail.subject).toBe('Su credencial de Ejemplo S.A.')
    expect(mail.text).toContain('durante 1 día')
  })
})

describe('a mail server', () => {
  // @row 1.endpoints/credential-issuer.5
  it.each(['busy', 'hang-up'] as const)(
    'that is away (%s) delays a mail over a restart, and never loses it',
    async (behaviour) => {
      const smtp = await startSmtpServer(behaviour)
      const databaseUrl = `sqlite:${createTemporaryFolder()}/issuer.sqlite`
      const first = await startWith(smtp, { databaseUrl })
      expect((await requestEmployee(first)).body).toEqual({ message: queued })
      const before = smtp.connections
      await vi.waitFor(() => expect(smtp.connections).toBeGreaterThan(before), { timeout: 5000 })
      await first.stop()
      expect(smtp.mails).toEqual([])
      smtp.behaviour = 'accept'
      const second = await startWith(smtp, { databaseUrl })
      second.runtime.advance(120)
      await waitForMails(smtp, 1)
      expect((await readOffer(smtp.mails[0])).to).toEqual([
        { name: '', address: 'ana.ruiz@example.org' },
      ])
    },
  )

  it('whose answer was lost gets the very same mail again: one Message-ID, one offer', async () => {
    const smtp = await startSmtpServer('lose-answer')
    const system = await startWith(smtp)
    expect((await requestEmployee(system)).body).toEqual({ message: queued })
    await waitForMails(smtp, 2)
    smtp.behaviour = 'accept'
    const taken = smtp.mails.length
    await waitForMails(smtp, taken + 1)
    const mails = await Promise.all(smtp.mails.map(readOffer))
    expect(mails[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@issuer\.invalid>$/)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1)
    expect(new Set(mails.map(({ link }) => link)).size).toBe(1)
    // The one that the holder opened first is as good as any.
    expect((await redeem(mails[0]?.offer)).status).toBe(200)
  })

  it('gets no mail any more for an offer that was redeemed from the one it took silently', async () => {
    const smtp = await startSmtpServer('lose-answer')
    const folder = createTemporaryFolder()
    const system = await startWith(smtp, { databaseUrl: `sqlite:${folder}/issuer.sqlite` })
    await requestEmployee(system)
    const { offer } = await readOffer(smtp.mails[0])
    expect((await redeemCode(offer)).status).toBe(200)
    smtp.behaviour = 'busy'
    const taken = smtp.mails.length
    // Past the offer's life, so that the next attempt would want another one.
    system.runtime.advance(400)
    const database = new DatabaseSync(`${folder}/issuer.sqlite`, { readOnly: true })
    onTestFinished(() => database.close())
    const readState = () => database.prepare('select state, offer_link from mails').get()
    await vi.waitFor(() => expect(readState()).toEqual({ state: 'sent', offer_link: null }), {
      timeout: 8000,
    })
    expect(smtp.mails).toHaveLength(taken)
  })

  it('that comes back late gets a fresh offer under a Message-ID of its own', async () => {
    const smtp = await startSmtpServer('lose-answer')
    const system = await startWith(smtp)
    await requestEmployee(system)
    const first = await readOffer(smtp.mails[0])
    smtp.behaviour = 'busy'
    system.runtime.advance(400)
    smtp.behaviour = 'accept'
    await vi.waitFor(
      async () => {
        const last = await readOffer(smtp.mails.at(-1))
        expect(last.link).not.toBe(first.link)
        expect(last.messageId).not.toBe(first.messageId)
      },
      { timeout: 8000 },
    )
    expect((await redeemCode(first.offer)).status).toBe(400)
    expect((await redeemCode((await readOffer(smtp.mails.at(-1))).offer)).status).toBe(200)
  })

  it('that knows no such mailbox ends it: 400, and nothing is tried again', async () => {
    const smtp = await startSmtpServer('no-such-mailbox')
    const system = await startWith(smtp)
    const answer = await requestEmployee(system)
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: 'The mail server takes no mail for this address' },
    })
    smtp.behaviour = 'accept'
    system.runtime.advance(120)
    await requestEmployee(system, { email: 'other@example.org' })
    await waitForMails(smtp, 1)
    expect((await readOffer(smtp.mails[0])).to?.[0]?.address).toBe('other@example.org')
  })
})

async function openOutbox(
  send: (mail: MailRow) => Promise<MailOutcome>,
  retryMilliseconds = 600_000,
) {
  const runtime = createStandingRuntime()
  const database = await openDatabase<IssuerTables>({
    url: 'sqlite::memory:',
    service: 'issuer',
    migrations: issuerMigrations,
    runtime,
  })
  const outbox = createMailOutbox(database, send, runtime, retryMilliseconds)
  onTestFinished(async () => {
    await outbox.close()
    await database.destroy()
  })
  const mail = outbox.prepare('record', 'ana@example.org', 'en')
  await database.insertInto('mails').values(mail).execute()
  const read = () => database.selectFrom('mails').selectAll().executeTakeFirst()
  return { runtime, outbox, mail, read }
}

describe('the outbox', () => {
  it('doubles its pauses, up to a minute', async () => {
    const { runtime, outbox, read } = await openOutbox(async () => 'later', 1000)
    const pauses: number[] = []
    for (let attempt = 0; attempt < 9; attempt++) {
      const mail = await read()
      if (!mail) throw new Error('the mail is gone')
      const before = runtime.clock.milliseconds()
      await outbox.attempt(mail)
      pauses.push((Number((await read())?.next_attempt_at) - before) / 1000)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('keeps a mail whose attempt never came to an end, and takes it up after a restart', async () => {
    const attempts: string[] = []
    const { runtime, read } = await openOutbox(async ({ id }) => {
      attempts.push(id)
      return 'sent'
    }, 20)
    // The process that prepared it ended before its first attempt did: the lease runs out.
    runtime.advance(31)
    await vi.waitFor(async () => expect((await read())?.state).toBe('sent'))
    expect(attempts).toHaveLength(1)
    // A week later nothing of it is left.
    runtime.advance(8 * 86_400)
    await vi.waitFor(async () => expect(await read()).toBeUndefined())
  })
})

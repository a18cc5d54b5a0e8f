import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createMailOutbox, type MailOutcome } from '#services/issuer/adapters/mail-outbox.ts'
import { createOfferMail, mailLanguages } from '#services/issuer/domain/offer-mail.ts'
import { type IssuerTables, type MailRow, migrations } from '#services/issuer/tables.ts'
import { anyText } from '#test/support/any-text.ts'
import { fc } from '#test/support/fast-check.ts'
import {
  askIssuer,
  codeOf,
  collectCredential,
  type IssuanceSystem,
  offerOf,
  power,
  redeem,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { readMail, startSmtpServer, type TestSmtpServer } from '#test/support/mail.ts'
import { createStandingRuntime } from '#test/support/services.ts'
import { createTemporaryFolder, temporaryDatabase } from '#test/support/temporary-folder.ts'

const startWith = (smtp: TestSmtpServer, issuer: Record<string, unknown> = {}) =>
  startIssuanceSystem({ issuer: { smtpUrl: smtp.url, ...issuer } })

const requestEmployee = (
  system: IssuanceSystem,
  body: object = {},
  claims?: Record<string, unknown>,
) =>
  askIssuer(system, 'employee', { email: 'ana.ruiz@example.org', power: [power], ...body }, claims)

const waitForMails = (smtp: TestSmtpServer, count: number) =>
  expect.poll(() => smtp.mails.length).toBeGreaterThanOrEqual(count)

async function readOffer(raw: string | undefined) {
  const mail = await readMail(Buffer.from(raw ?? '', 'latin1'))
  const link = new URL(/openid-credential-offer:\S+/.exec(mail.text ?? '')?.[0] ?? '')
  return { ...mail, link }
}

/** Makes the server reject every client. The attempt before may still be under way until then. */
async function makeBusy(smtp: TestSmtpServer) {
  smtp.behaviour = 'busy'
  const before = smtp.connections
  await expect.poll(() => smtp.connections).toBeGreaterThan(before)
}

const redeemAt = (system: IssuanceSystem, link: URL) => redeem(system, codeOf(offerOf(link)))

const queued = 'The credential offer is queued and will be sent to ana.ruiz@example.org'

describe('the languages of the email', () => {
  it('are those of request, organization or issuer', async () => {
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
    expect(mails[1]?.text).toContain('válida durante 5 minutos')
    expect(mails[0]?.text).toContain('valid for 5 minutes')
    expect((await requestEmployee(system, { language: 'tlh' })).status).toBe(400)
  })

  it('have a configurable default', async () => {
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
    'that fails (%s) delays an email, even across a restart',
    async (behaviour) => {
      const smtp = await startSmtpServer(behaviour)
      const databaseUrl = temporaryDatabase()
      const first = await startWith(smtp, { databaseUrl })
      expect((await requestEmployee(first)).body).toEqual({ message: queued })
      const before = smtp.connections
      await expect.poll(() => smtp.connections).toBeGreaterThan(before)
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

  it('whose response was lost gets the same email again', async () => {
    const smtp = await startSmtpServer('lose-answer')
    const system = await startWith(smtp)
    expect((await requestEmployee(system)).body).toEqual({ message: queued })
    await waitForMails(smtp, 2)
    smtp.behaviour = 'accept'
    const taken = smtp.mails.length
    await waitForMails(smtp, taken + 1)
    const mails = await Promise.all(smtp.mails.map(readOffer))
    expect(mails[0]?.messageId).toMatch(/^<[0-9a-f-]{36}@127\.0\.0\.1>$/)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1)
    expect(new Set(mails.map(({ link }) => link.href)).size).toBe(1)
    // The holder may open any of them first.
    expect((await collectCredential(mails[0]?.link as URL)).status).toBe(200)
  })

  it('gets no more emails for an offer that was redeemed', async () => {
    const smtp = await startSmtpServer('lose-answer')
    const folder = createTemporaryFolder()
    const system = await startWith(smtp, { databaseUrl: `sqlite:${folder}/issuer.sqlite` })
    await requestEmployee(system)
    const { link } = await readOffer(smtp.mails[0])
    await makeBusy(smtp)
    const taken = smtp.mails.length
    expect((await redeemAt(system, link)).status).toBe(200)
    // After the offer's lifetime, so that the next attempt would require a new offer.
    system.runtime.advance(400)
    const database = new DatabaseSync(`${folder}/issuer.sqlite`, { readOnly: true })
    onTestFinished(() => database.close())
    const readState = () => database.prepare('select state, offer_link from mails').get()
    await expect.poll(() => readState()).toEqual({ state: 'sent', offer_link: null })
    expect(smtp.mails).toHaveLength(taken)
  })

  it('that recovers late gets a fresh offer with a new Message-ID', async () => {
    const smtp = await startSmtpServer('lose-answer')
    const system = await startWith(smtp)
    await requestEmployee(system)
    const first = await readOffer(smtp.mails[0])
    await makeBusy(smtp)
    system.runtime.advance(400)
    smtp.behaviour = 'accept'
    const readLast = () => readOffer(smtp.mails.at(-1))
    await expect.poll(async () => (await readLast()).messageId).not.toBe(first.messageId)
    const last = await readLast()
    expect(last.link.href).not.toBe(first.link.href)
    expect((await redeemAt(system, first.link)).status).toBe(400)
    expect((await redeemAt(system, last.link)).status).toBe(200)
  })

  it('without the mailbox gets no second attempt', async () => {
    const smtp = await startSmtpServer('no-such-mailbox')
    const system = await startWith(smtp)
    const answer = await requestEmployee(system)
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: 'The mail server rejects this address' },
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
    migrations: migrations,
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
  it('doubles its pauses up to a minute', async () => {
    const { runtime, outbox, read } = await openOutbox(async () => 'later', 1000)
    const pauses: number[] = []
    for (let attempt = 0; attempt < 9; attempt++) {
      const mail = await read()
      if (!mail) throw new Error('the email does not exist')
      const before = runtime.clock.milliseconds()
      await outbox.attempt(mail)
      pauses.push((Number((await read())?.next_attempt_at) - before) / 1000)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('makes an attempt that was planned before the clock went back', async () => {
    const { runtime, read } = await openOutbox(async () => 'sent', 20)
    runtime.advance(-3600)
    await expect.poll(async () => (await read())?.state).toBe('sent')
  })

  it('closes only after the attempt that is under way', async () => {
    const begun = Promise.withResolvers<void>()
    const sending = Promise.withResolvers<MailOutcome>()
    const { runtime, outbox } = await openOutbox(() => {
      begun.resolve()
      return sending.promise
    }, 20)
    runtime.advance(31)
    await begun.promise
    let isClosed = false
    const closing = outbox.close().then(() => {
      isClosed = true
    })
    await setImmediate()
    expect(isClosed).toBe(false)
    sending.resolve('sent')
    await closing
  })

  it('repeats an attempt that did not end', async () => {
    const attempts: string[] = []
    const { runtime, read } = await openOutbox(async ({ id }) => {
      attempts.push(id)
      return 'sent'
    }, 20)
    // The process that prepared it ended during its first attempt, so the lease expires.
    runtime.advance(31)
    await expect.poll(async () => (await read())?.state).toBe('sent')
    expect(attempts).toHaveLength(1)
    // A week later it has been deleted.
    runtime.advance(8 * 86_400)
    await expect.poll(() => read()).toBeUndefined()
  })
})

const mailOf = (
  organization: string,
  firstName: string,
  language: (typeof mailLanguages)[number] = 'en',
) =>
  createOfferMail({
    language,
    organization,
    firstName,
    link: 'openid-credential-offer://?credential_offer=x',
    lifetimeSeconds: 300,
    qrContentId: 'qr',
  })

it('keeps each name within its sentence', () => {
  const mail = mailOf('Acme\r\n\r\nYour account is locked.\u2028Call us', '\u202eAna\u200b\n\nPay')
  expect(mail.subject).toBe('Your credential from Acme Your account is locked. Call us')
  expect(mail.text.split('\n')[0]).toBe('Hello Ana Pay,')
  expect(mail.text).toContain('\nAcme Your account is locked. Call us offers you a credential')
  expect(mail.html).toContain('<p>Hello Ana Pay,</p>')
})

it('has the same lines and no invisible characters for any names', () => {
  const name = fc.oneof(
    anyText(),
    fc.string({
      unit: fc.constantFrom(
        '\r',
        '\n',
        '\u0085',
        '\u2029',
        '\u202e',
        '\u2066',
        '\u200b',
        '\ufeff',
        '\ud800',
        'x',
      ),
    }),
  )
  for (const language of mailLanguages) {
    const lines = mailOf('Acme', 'Ana', language).text.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/u)
    fc.assert(
      fc.property(name, name, (organization, firstName) => {
        const { subject, text, html } = mailOf(organization, firstName, language)
        expect(text.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/u)).toHaveLength(lines.length)
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        for (const part of [text, html]) {
          expect(part.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        }
      }),
    )
  }
})

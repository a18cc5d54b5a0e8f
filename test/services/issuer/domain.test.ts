import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#kit/database.ts'
import { createRecordStore } from '#services/issuer/adapters/record-store.ts'
import { createOfferMail, mailLanguages } from '#services/issuer/domain/offer-mail.ts'
import {
  type RecordEvent,
  type RecordStatus,
  recordTransitions,
  shownStatus,
} from '#services/issuer/domain/record-states.ts'
import { type IssuerTables, issuerMigrations } from '#services/issuer/tables.ts'
import { createTestRuntime } from '#test/support/services.ts'

/** profile/issuer, States, and A-22, row by row. */
const expected: readonly [RecordStatus, RecordEvent, RecordStatus | 'refused'][] = [
  ['pending', 'issued', 'issued'],
  ['pending', 'failed', 'pending'],
  ['pending', 'revoked', 'revoked'],
  ['pending', 'revocation requested', 'revoked'],
  ['issued', 'issued', 'issued'],
  ['issued', 'failed', 'issued'],
  ['issued', 'revoked', 'revoked'],
  ['issued', 'revocation requested', 'revoked'],
  ['revoked', 'issued', 'revoked'],
  ['revoked', 'failed', 'revoked'],
  ['revoked', 'revoked', 'revoked'],
  ['revoked', 'revocation requested', 'refused'],
]

async function openRecords() {
  const runtime = createTestRuntime()
  const database = await openDatabase<IssuerTables>({
    url: 'sqlite::memory:',
    service: 'issuer',
    migrations: issuerMigrations,
    runtime,
  })
  onTestFinished(() => database.destroy())
  return createRecordStore(database, runtime.clock)
}

describe('the states of a record (A-22)', () => {
  it('are exactly those of the table', () => {
    const table = Object.entries(recordTransitions).flatMap(([from, events]) =>
      Object.entries(events).map(([event, to]) => [from, event, to]),
    )
    expect(table).toEqual(expected)
  })

  // @row 1.states-and-transitions.1..4
  it.each(expected)('%s, on "%s": %s', async (from, event, to) => {
    const records = await openRecords()
    const names = { id: 'r', subject_id: 's', credential_id: 'c', organization_identifier: 'o' }
    await records.create({ ...names, vc_type: 'A', profile: 'default', mandate: '{}' })
    if (from !== 'pending') await records.apply('r', from)
    const after = await records.apply('r', event)
    expect(after?.status).toBe(to === 'refused' ? undefined : to)
    expect((await records.findById('r'))?.status).toBe(to === 'refused' ? from : to)
  })

  it('only an issued record is shown as expired, from its validUntil on', () => {
    expect(shownStatus('issued', 100, 99)).toBe('issued')
    expect(shownStatus('issued', 100, 100)).toBe('expired')
    expect(shownStatus('pending', 100, 200)).toBe('pending')
    expect(shownStatus('revoked', 100, 200)).toBe('revoked')
    expect(shownStatus('issued', null, 200)).toBe('issued')
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
    fc.string({ unit: 'binary' }),
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

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createOfferMail, mailLanguages } from '#services/issuer/domain/offer-mail.ts'

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

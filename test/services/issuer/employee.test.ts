import mailhog from 'mailhog'
import { beforeEach, describe, expect, it } from 'vitest'
import { createMailService } from '#services/mail/create-mail-service.ts'
import { readQrPng } from '#test/support/images.ts'
import {
  askIssuer,
  collectCredential,
  type IssuanceSystem,
  payloadOf,
  power,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { readMail } from '#test/support/mail.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'

const system = await startIssuanceSystem()
beforeEach(() => inboxOf(system.mail.baseUrl).deleteAll())

const inboxOf = (baseUrl: string) =>
  mailhog({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })

const requestEmployee = (
  body: unknown,
  asked: Pick<IssuanceSystem, 'issuer' | 'tokenIssuer'> = system,
  claims?: Record<string, unknown>,
) => askIssuer(asked, 'employee', body, claims)

/** The newest email to an address, parsed; undefined if there is none. */
async function findMail(to: string) {
  const mail = await inboxOf(system.mail.baseUrl).latestTo(to)
  return mail
    ? readMail(Buffer.from((mail as unknown as { Raw: { Data: string } }).Raw.Data))
    : undefined
}

function linkOf(text: string | undefined): URL {
  return new URL(/openid-credential-offer:\S+/.exec(text ?? '')?.[0] ?? '')
}

const mandateOf = (credential: unknown) => payloadOf(credential).vc.credentialSubject.mandate

describe('an employee', () => {
  // @row 1.what-the-service-does.1 1.endpoints/credential-issuer.5
  it('gets an email with text, HTML and QR code, and with it the credential', async () => {
    const answer = await requestEmployee({ email: 'ana.ruiz@example.org', power: [power] })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      message: 'The credential offer has been sent to ana.ruiz@example.org',
    })
    const mail = await findMail('ana.ruiz@example.org')
    expect(mail?.subject).toBe('Your credential from Ejemplo S.A.')
    expect(mail?.to).toEqual([{ name: '', address: 'ana.ruiz@example.org' }])
    const link = linkOf(mail?.text)

    const contentId = /src="cid:([^"]+)"/.exec(mail?.html ?? '')?.[1]
    const image = mail?.attachments.find((part) => part.contentId === `<${contentId}>`)
    expect(image).toMatchObject({ mimeType: 'image/png', related: true })
    expect(readQrPng(image?.content as Uint8Array)).toBe(link.href)

    const credential = await collectCredential(link)
    expect(mandateOf(credential.body.credential).mandatee).toEqual({
      employeeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ana.ruiz@example.org',
      firstName: 'Ana',
      lastName: 'Ruiz',
    })
    expect((await collectCredential(link)).body.error).toBe('invalid_grant')
  })

  it('has the name in the request, or the local part of the address', async () => {
    const named = { employeeId: 'E-7', firstName: 'Eva', lastName: 'Sanz' }
    await requestEmployee({ email: 'x@example.org', power: [power], ...named })
    const first = await collectCredential(linkOf((await findMail('x@example.org'))?.text))
    expect(mandateOf(first.body.credential).mandatee).toEqual({ ...named, email: 'x@example.org' })

    await requestEmployee({ email: 'info42@example.org', power: [power] })
    const second = await collectCredential(linkOf((await findMail('info42@example.org'))?.text))
    expect(mandateOf(second.body.credential).mandatee).toMatchObject({
      firstName: 'info42',
      lastName: 'info42',
    })
  })

  it.each(["o'neil&sons/sales@a.example", 'a%b!c=d@a.example', 'a@a.xn--p1ai'])(
    'gets an email at any address with a domain name: %s',
    async (email) => {
      expect((await requestEmployee({ email, power: [power] })).status).toBe(200)
      expect((await findMail(email))?.text).toContain('openid-credential-offer:')
    },
  )

  it('gets an email that escapes the claims of the token', async () => {
    const claims = { organization: '<script>alert(1)</script> & Co' }
    await requestEmployee({ email: 'h@example.org', power: [power] }, system, claims)
    const mail = await findMail('h@example.org')
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.html).toContain('&lt;script&gt;')
  })

  it('gets an email without line breaks or text directions in names', async () => {
    const claims = { organization: 'Acme\u2028\u2028Pay at evil.example\u202e' }
    const body = { email: 'u@example.org', power: [power], firstName: '\u2066Ana\u2029Send money' }
    expect((await requestEmployee(body, system, claims)).status).toBe(200)
    const mail = await findMail('u@example.org')
    expect(mail?.subject).toBe('Your credential from Acme Pay at evil.example')
    expect(mail?.text?.split('\n')[0]).toBe('Hello Ana Send money,')
    expect(mail?.html).toContain('<p>Hello Ana Send money,</p>')
    for (const part of [mail?.text, mail?.html]) expect(part).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  const email = 'a@example.org'
  const named = { employeeId: 'E-1\nE-2', firstName: 'Ana\u0085', lastName: '\r' }

  it.each([
    ['control characters in its texts', { email, power: [power], ...named }, Object.keys(named)],
    ['no email', { power: [power] }, ['email']],
    ['no address', { email: 'ana', power: [power] }, ['email']],
    ['65 characters before the @', { email: `${'a'.repeat(65)}@a.example` }, ['email', 'power']],
    ['a label of 64 characters', { email: `a@${'a'.repeat(64)}.example` }, ['email', 'power']],
    ['two points in a row', { email: 'a..b@a.example' }, ['email', 'power']],
    ['two addresses', { email: 'a@example.org, b@example.org', power: [power] }, ['email']],
    [
      'a header in the address',
      { email: `${email}\r\nBcc: b@example.org`, power: [power] },
      ['email'],
    ],
    ['no power', { email }, ['power']],
    [
      'a power without actions (I78)',
      { email, power: [{ ...power, action: [] }] },
      ['power.0.action'],
    ],
    ['nothing', {}, ['email', 'power']],
  ])('is rejected with %s and gets no email', async (_, body, missing) => {
    const answer = await requestEmployee(body)
    const detail = 'Missing required data or invalid powers'
    expect(answer).toMatchObject({ status: 400, body: { detail, missing } })
    expect((await inboxOf(system.mail.baseUrl).messages())?.total).toBe(0)
  })

  // @row 1.errors.2
  it('is rejected with the name of a missing claim (I76)', async () => {
    const body = { email: 'a@example.org', power: [power] }
    for (const claim of ['organization_identifier', 'organization', 'user_identifier', 'email']) {
      const answer = await requestEmployee(body, system, { [claim]: undefined })
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: 'Missing required data or invalid powers', missing: [claim] },
      })
    }
  })

  // @row 1.errors.3
  it('cannot get powers that the organization may not grant (I77)', async () => {
    const body = { email: 'a@example.org', power: [{ ...power, action: ['Delete'] }] }
    const answer = await requestEmployee(body)
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: 'The requested powers are not authorized for the organization' },
    })
  })
})

describe('an email that cannot be sent', () => {
  it('because the port is closed is queued', async () => {
    const mute = await startService((baseUrl) =>
      createMailService({ baseUrl }, createTestRuntime()),
    )
    const { smtpUrl } = mute.service
    await mute.stop()
    const other = await startIssuanceSystem({ issuer: { smtpUrl } })
    const answer = await requestEmployee({ email: 'a@example.org', power: [power] }, other)
    expect(answer.body.message).toContain('queued')
  })

  // @row 1.errors.4
  it('because the Connector is down is neither sent nor queued', async () => {
    system.runtime.activeFaults.add('connector-down')
    const answer = await requestEmployee({ email: 'none@example.org', power: [power] })
    system.runtime.activeFaults.delete('connector-down')
    expect(answer).toMatchObject({
      status: 500,
      body: { detail: 'Error contacting the Connector' },
    })
    // A later email has already passed through the same queue.
    system.runtime.activeFaults.add('mail-down')
    await requestEmployee({ email: 'after@example.org', power: [power] })
    system.runtime.activeFaults.delete('mail-down')
    system.runtime.advance(120)
    await expect.poll(() => findMail('after@example.org')).toBeDefined()
    expect(await findMail('none@example.org')).toBeUndefined()
  })
})

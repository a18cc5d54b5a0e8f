import mailhog from 'mailhog'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { zMailConfig } from '#services/mail/config.ts'
import { createMailService } from '#services/mail/create-mail-service.ts'
import { readQrPng } from '#test/support/images.ts'
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
import { readMail } from '#test/support/mail.ts'
import { createTestRuntime, startService } from '#test/support/services.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

let system: IssuanceSystem
beforeAll(async () => {
  system = await startIssuanceSystem()
})
afterAll(() => system.stop())
beforeEach(() => inboxOf(system.mail.baseUrl).deleteAll())

const inboxOf = (baseUrl: string) =>
  mailhog({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })

const requestEmployee = async (
  body: unknown,
  { issuer, tokenIssuer }: Pick<IssuanceSystem, 'issuer' | 'tokenIssuer'> = system,
  claims: Record<string, unknown> = {},
) =>
  postJson(`${issuer.baseUrl}/issuance/employee`, body, {
    authorization: `Bearer ${await tokenIssuer.mint(claims)}`,
  })

/** The newest mail to an address, parsed; undefined where there is none. */
async function findMail(to: string, baseUrl = system.mail.baseUrl) {
  const mail = await inboxOf(baseUrl).latestTo(to)
  return mail
    ? readMail(Buffer.from((mail as unknown as { Raw: { Data: string } }).Raw.Data))
    : undefined
}

function linkOf(text: string | undefined): URL {
  return new URL(/openid-credential-offer:\S+/.exec(text ?? '')?.[0] ?? '')
}

async function acceptOffer(link: URL) {
  const offer = JSON.parse(link.searchParams.get('credential_offer') ?? '')
  const token = await postForm(`${offer.credential_issuer}/token`, {
    grant_type: grantType,
    'pre-authorized_code': codeOf(offer),
  })
  if (token.status !== 200) return token
  return postJson(
    `${offer.credential_issuer}/credential`,
    createCredentialRequestBody(offer.credential_issuer, token.body.c_nonce),
    { authorization: `Bearer ${token.body.access_token}` },
  )
}

const mandateOf = (credential: unknown) =>
  JSON.parse(Buffer.from(String(credential).split('.')[1] ?? '', 'base64url').toString()).vc
    .credentialSubject.mandate

describe('an employee', () => {
  // @row 1.what-the-service-does.1 1.endpoints/credential-issuer.5
  it('gets a mail with HTML, the QR code and the text, and from it a credential', async () => {
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

    const credential = await acceptOffer(link)
    expect(mandateOf(credential.body.credential).mandatee).toEqual({
      employeeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ana.ruiz@example.org',
      firstName: 'Ana',
      lastName: 'Ruiz',
    })
    expect((await acceptOffer(link)).body.error).toBe('invalid_grant')
  })

  it('may be named in the request; another address gives its local part for both names', async () => {
    const named = { employeeId: 'E-7', firstName: 'Eva', lastName: 'Sanz' }
    await requestEmployee({ email: 'x@example.org', power: [power], ...named })
    const first = await acceptOffer(linkOf((await findMail('x@example.org'))?.text))
    expect(mandateOf(first.body.credential).mandatee).toEqual({ ...named, email: 'x@example.org' })

    await requestEmployee({ email: 'info42@example.org', power: [power] })
    const second = await acceptOffer(linkOf((await findMail('info42@example.org'))?.text))
    expect(mandateOf(second.body.credential).mandatee).toMatchObject({
      firstName: 'info42',
      lastName: 'info42',
    })
  })

  it('the markup of the mail takes nothing from the token as markup', async () => {
    const claims = { organization: '<script>alert(1)</script> & Co' }
    await requestEmployee({ email: 'h@example.org', power: [power] }, system, claims)
    const mail = await findMail('h@example.org')
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.html).toContain('&lt;script&gt;')
  })

  it('gets a mail in which names write no lines and turn no direction', async () => {
    const claims = { organization: 'Acme\u2028\u2028Pay at evil.example\u202e' }
    const body = { email: 'u@example.org', power: [power], firstName: '\u2066Ana\u2029Send money' }
    expect((await requestEmployee(body, system, claims)).status).toBe(200)
    const mail = await findMail('u@example.org')
    expect(mail?.subject).toBe('Your credential from Acme Pay at evil.example')
    expect(mail?.text?.split('\n')[0]).toBe('Hello Ana Send money,')
    expect(mail?.html).toContain('<p>Hello Ana Send money,</p>')
    for (const part of [mail?.text, mail?.html]) expect(part).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  it.each([
    [
      'control characters in its texts',
      {
        email: 'a@example.org',
        power: [power],
        employeeId: 'E-1\nE-2',
        firstName: 'Ana\u0085',
        lastName: '\r',
      },
      ['employeeId', 'firstName', 'lastName'],
    ],
    ['no email', { power: [power] }, ['email']],
    ['no address', { email: 'ana', power: [power] }, ['email']],
    ['two addresses', { email: 'a@example.org, b@example.org', power: [power] }, ['email']],
    [
      'a header in the address',
      { email: 'a@example.org\r\nBcc: b@example.org', power: [power] },
      ['email'],
    ],
    ['no power', { email: 'a@example.org' }, ['power']],
    [
      'I78: a power without actions',
      { email: 'a@example.org', power: [{ ...power, action: [] }] },
      ['power.0.action'],
    ],
    ['nothing', {}, ['email', 'power']],
  ])('is refused with %s, and no mail goes out', async (_, body, missing) => {
    const answer = await requestEmployee(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      detail: 'Missing required data or invalid powers',
      missing,
    })
    expect((await inboxOf(system.mail.baseUrl).messages())?.total).toBe(0)
  })

  // @row 1.errors.2
  it('I76: is refused where the token lacks a claim, and names it', async () => {
    const body = { email: 'a@example.org', power: [power] }
    for (const claim of ['organization_identifier', 'organization', 'user_identifier', 'email']) {
      const answer = await requestEmployee(body, system, { [claim]: undefined })
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: 'Missing required data or invalid powers', missing: [claim] },
      })
    }
  })

  // @row 1.errors.1
  it('I81: is refused with an expired token, and nothing goes out', async () => {
    const body = { email: 'a@example.org', power: [power] }
    const answer = await requestEmployee(body, system, { exp: Math.floor(Date.now() / 1000) - 60 })
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: 'Unauthorized', detail: 'invalid token' })
    expect((await inboxOf(system.mail.baseUrl).messages())?.total).toBe(0)
  })

  // @row 1.errors.3
  it('I77: is refused powers that the organization may not grant', async () => {
    const body = { email: 'a@example.org', power: [{ ...power, action: ['Delete'] }] }
    const answer = await requestEmployee(body)
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: 'The requested powers are not authorized for the organization' },
    })
  })
})

describe('a mail that can not go out', () => {
  it('is queued, said so, and goes out with a fresh offer once the server is back', async () => {
    system.runtime.activeFaults.add('mail-down')
    const answer = await requestEmployee({ email: 'later@example.org', power: [power] })
    expect(answer.status).toBe(200)
    expect(answer.body.message).toBe(
      'The credential offer is queued and will be sent to later@example.org',
    )
    expect(await findMail('later@example.org')).toBeUndefined()
    // Longer than an offer lives: the one that goes out must have been made afterwards.
    system.runtime.advance(400)
    system.runtime.activeFaults.delete('mail-down')
    const mail = await vi.waitFor(
      async () => {
        const found = await findMail('later@example.org')
        expect(found).toBeDefined()
        return found
      },
      { timeout: 5000 },
    )
    const link = linkOf(mail?.text)
    const offer = JSON.parse(link.searchParams.get('credential_offer') ?? '')
    const token = await postForm(`${offer.credential_issuer}/token`, {
      grant_type: grantType,
      'pre-authorized_code': codeOf(offer),
    })
    expect(token.status).toBe(200)
    expect((await inboxOf(system.mail.baseUrl).search('later@example.org', 'to'))?.total).toBe(1)
  })

  it('survives a restart of the issuer', async () => {
    const databaseUrl = `sqlite:${createTemporaryFolder()}/issuer.sqlite`
    const first = await startIssuanceSystem({ issuer: { databaseUrl } })
    first.runtime.activeFaults.add('mail-down')
    const answer = await requestEmployee({ email: 'restart@example.org', power: [power] }, first)
    expect(answer.body.message).toContain('queued')
    await first.stop()
    const second = await startIssuanceSystem({ issuer: { databaseUrl } })
    second.runtime.advance(120)
    await vi.waitFor(
      async () => expect(await findMail('restart@example.org', second.mail.baseUrl)).toBeDefined(),
      { timeout: 5000 },
    )
    await second.stop()
  })

  it('to a server that speaks no SMTP is queued too', async () => {
    const mute = await startService((baseUrl) =>
      createMailService(zMailConfig.parse({ baseUrl }), createTestRuntime()),
    )
    const { smtpUrl } = mute.service
    await mute.stop()
    const other = await startIssuanceSystem({ issuer: { smtpUrl } })
    const answer = await requestEmployee({ email: 'a@example.org', power: [power] }, other)
    expect(answer.body.message).toContain('queued')
    await other.stop()
  })

  // @row 1.errors.4
  it('for want of a Connector is neither sent nor queued: 500', async () => {
    system.runtime.activeFaults.add('connector-down')
    const answer = await requestEmployee({ email: 'none@example.org', power: [power] })
    system.runtime.activeFaults.delete('connector-down')
    expect(answer).toMatchObject({
      status: 500,
      body: { detail: 'Error contacting the Connector' },
    })
    // A mail that is asked for afterwards has come and gone through the same queue.
    system.runtime.activeFaults.add('mail-down')
    await requestEmployee({ email: 'after@example.org', power: [power] })
    system.runtime.activeFaults.delete('mail-down')
    system.runtime.advance(120)
    await vi.waitFor(async () => expect(await findMail('after@example.org')).toBeDefined(), {
      timeout: 5000,
    })
    expect(await findMail('none@example.org')).toBeUndefined()
  })
})

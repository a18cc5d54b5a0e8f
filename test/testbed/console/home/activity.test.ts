import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Hop } from '#kit/traces.ts'
import { describeActivity } from '#testbed/console/home/activity.ts'
import { activityTexts } from '#testbed/console/home/activity-texts.ts'

/** Exchanges of suites on a running testbed, without the members that no sentence needs. */
const recorded: readonly Hop[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../fixture/hops.json'), 'utf8'),
)

const describeIn = (language: 'en' | 'es', hops = recorded) =>
  describeActivity(hops, {
    texts: activityTexts[language],
    clientName: (id) => (id === 'relying-party' ? 'Relying party' : id),
    organizationName: (did) => did.slice(15, 22),
  })
const sentences = (language: 'en' | 'es', hops?: readonly Hop[]) =>
  describeIn(language, hops).map(({ text, reason }) =>
    reason === undefined ? text : `${text}: ${reason}`,
  )

describe('the sentences about what happened', () => {
  it('describes issuance, login, revocation and the rejected login', () => {
    expect(sentences('en').slice(0, 5)).toEqual([
      'A credential was offered to a wallet',
      'Ana Ruiz received an OrgPortalLearCredential',
      'Ana Ruiz logged in at Relying party',
      'Almenara Logistics revoked the credential of Ana Ruiz',
      'Login of Ana Ruiz at Relying party rejected: credential revoked',
    ])
    expect(sentences('es').slice(0, 5)).toEqual([
      'Se ha ofrecido una credencial a una cartera',
      'Ana Ruiz ha recibido una credencial OrgPortalLearCredential',
      'Ana Ruiz ha iniciado sesión en Relying party',
      'Almenara Logistics ha revocado la credencial de Ana Ruiz',
      'Inicio de sesión de Ana Ruiz en Relying party rechazado: credencial revocada',
    ])
  })

  it('describes emails, the trust chain, cancelled logins, wrong PINs and sign-ins', () => {
    expect(sentences('en').slice(5)).toEqual([
      'Email sent to ana.04800be240@example.org: Your credential from Almenara Logistics',
      'ana.04800be240 received an OrgPortalLearCredential',
      'z1gAD1d was registered',
      'z16SWra accredited z1gAD1d as TAO',
      'z16SWra revoked the accreditation of z1gAD1d',
      'Login of Ana Ruiz at Relying party rejected: accreditation of the issuer revoked',
      'A login at Relying party was cancelled',
      'The issuer rejected a wallet that opened an offer: The tx_code is wrong.',
      'The issuer rejected a wallet that opened an offer: Too many wrong values of tx_code: the offer has ended. Request a new one.',
      'Login of ana.ruiz@almenara.example at the token issuer rejected',
      'ana.ruiz@almenara.example logged in at the token issuer',
    ])
  })

  it('folds repetitions, and marks the texts of services as quoted', () => {
    const entries = describeIn('es')
    const pin = entries.find(({ reason }) => reason === 'The tx_code is wrong.')
    expect(pin).toMatchObject({ times: 4, tone: 'bad', isQuoted: true })
    const revoked = entries.find(({ reason }) => reason === 'credencial revocada')
    expect(revoked).not.toHaveProperty('isQuoted')
    expect(revoked?.times).toBe(1)
  })

  it('names the exchange with the evaluated rules of a login', () => {
    const rejected = describeIn('en').find(({ reason }) => reason === 'credential revoked')
    const shown = recorded.find(({ id }) => id === rejected?.id)
    expect([shown?.from, shown?.url]).toEqual(['wallet', expect.stringMatching(/^\/responses\//)])
  })

  it('does not describe what a service rejected or a transaction that reverted as done', () => {
    const failed = recorded
      .filter(({ to }) => to === 'idp' || to === 'did-registry' || to === 'tir')
      .map((hop) => {
        if (hop.url.endsWith('/transactions/send'))
          return { ...hop, responseBody: { receipt: { status: 0 } } }
        if (hop.to === 'tir') return { ...hop, responseBody: { error: { code: -32000 } } }
        return hop.url === '/idp/api/auth/results' ? { ...hop, status: 401 } : hop
      })
    expect(sentences('en', failed)).toEqual(['A login at Relying party was cancelled'])
  })

  it('describes a login even if its beginning is no longer recorded', () => {
    const results = recorded.filter(({ url }) => url === '/idp/api/auth/results')
    expect(sentences('en', results)).toEqual([
      'Ana Ruiz logged in',
      'Login rejected: credential revoked',
      'Login rejected: accreditation of the issuer revoked',
    ])
  })

  it('names a service that is not available', () => {
    const [first] = recorded
    const hop = { ...first, to: 'issuer', from: 'portal', status: 503 } as Hop
    expect(sentences('en', [hop])).toEqual(['The service issuer returned 503 to the portal'])
  })

  it('survives bodies of any shape', () => {
    const shapes = [undefined, null, 'text', 7, [], {}, { credential: 'a.b.c' }, { did: 1 }]
    const hops = recorded.flatMap((hop) =>
      shapes.map((body) => ({ ...hop, requestBody: body, responseBody: body })),
    )
    expect(() => describeIn('en', hops)).not.toThrow()
  })
})

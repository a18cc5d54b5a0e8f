import { describe, expect, it } from 'vitest'
import { createTrustWorld, type TrustWorld } from '#conformance/world/create-trust-world.ts'
import { createCredentialSchema } from '#core/lear-credential/credential-type.ts'
import { validateAgainstSchema } from '#test/support/foreign-verifiers.ts'

const url = 'https://issuer.example/schemas/OrgPortalLearCredential'
const schema = createCredentialSchema({ url, type: 'OrgPortalLearCredential' })

type Vc = ReturnType<TrustWorld['credentialPayload']>['vc']

const vcWith = (change: (vc: Vc) => unknown) =>
  change(structuredClone(createTrustWorld().credentialPayload().vc))

const mandateWith = (vc: Vc, members: object) => ({
  ...vc,
  credentialSubject: {
    ...vc.credentialSubject,
    mandate: { ...vc.credentialSubject.mandate, ...members },
  },
})

describe('the JSON Schema of a credential type', () => {
  it('is of draft 2020-12, under its own address', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.$id).toBe(url)
  })

  it.each([
    ['as it is made', (vc: Vc) => vc],
    [
      'that names the schema',
      (vc: Vc) => ({ ...vc, credentialSchema: { id: url, type: 'JsonSchema' } }),
    ],
    ['with members of its own', (vc: Vc) => mandateWith({ ...vc, name: 'x' } as Vc, { id: 'm-1' })],
    ['with an issuer object', (vc: Vc) => ({ ...vc, issuer: { id: vc.issuer } })],
  ])('takes a credential %s', (_, change) => {
    expect(validateAgainstSchema(schema, vcWith(change))).toEqual([])
  })

  it.each([
    ...Object.keys(createTrustWorld().credentialPayload().vc)
      .filter((member) => member !== 'credentialStatus')
      .map((member) => [`no ${member}`, (vc: Vc) => ({ ...vc, [member]: undefined })] as const),
    ['another first context', (vc: Vc) => ({ ...vc, '@context': ['https://x.example'] })],
    ['an inherited type missing', (vc: Vc) => ({ ...vc, type: vc.type.slice(1) })],
    ['its own type missing', (vc: Vc) => ({ ...vc, type: vc.type.slice(0, 2) })],
    ['an id that is no urn:uuid', (vc: Vc) => ({ ...vc, id: 'x' })],
    ['an issuer that is no DID', (vc: Vc) => ({ ...vc, issuer: 'https://issuer.example' })],
    ['a time without a zone', (vc: Vc) => ({ ...vc, validUntil: '2030-01-01T00:00:00' })],
    ['an empty power', (vc: Vc) => mandateWith(vc, { power: [] })],
    [
      'a power without action',
      (vc: Vc) =>
        mandateWith(vc, { power: [{ ...vc.credentialSubject.mandate.power[0], action: [] }] }),
    ],
    [
      'no employeeId',
      (vc: Vc) => mandateWith(vc, { mandatee: { email: 'a@b.c', firstName: 'A', lastName: 'B' } }),
    ],
    [
      'another schema',
      (vc: Vc) => ({ ...vc, credentialSchema: { id: `${url}x`, type: 'JsonSchema' } }),
    ],
    [
      'a status without index',
      (vc: Vc) => ({
        ...vc,
        credentialStatus: { ...vc.credentialStatus, statusListIndex: undefined },
      }),
    ],
  ] as const)('refuses one with %s', (_, change) => {
    const broken = JSON.parse(JSON.stringify(vcWith(change as (vc: Vc) => unknown)))
    expect(validateAgainstSchema(schema, broken)).not.toEqual([])
  })
})

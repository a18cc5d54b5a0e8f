import { describe, expect, it } from 'vitest'
import { explainClaims } from '#testbed/console/claims.ts'
import { createNames, didName } from '#testbed/console/names.ts'
import { createEnvironmentKeys } from '#testbed/registries/environment-keys.ts'
import { organizations } from '#testbed/registries/organizations.ts'

const keys = createEnvironmentKeys('a-seed', 'pre')
const context = { keys, organizations }
const frame = {
  language: 'en',
  theme: undefined,
  environment: 'pre',
  environments: ['pre'],
  query: '',
  built: new Set<string>(),
  documentationPath: undefined,
  notice: [],
} as const

describe('the names of an environment', () => {
  it('are those of the seed for DIDs, accounts, accreditations and organizations', () => {
    const names = createNames('en', context)
    expect([
      names.of(keys.rootTao.did),
      names.of(keys.issuer.address.toLowerCase()),
      names.of(keys.operator.address),
      names.of(keys.onboardingNode.address),
      names.of(keys.verifier.did),
      names.of('VATES-B87654321'),
      names.of(`0x${keys.tao.attributeId.toUpperCase()}`),
      names.of(keys.tao.attributeId),
    ]).toEqual([
      'Root TAO',
      'Issuer',
      'Operator',
      'Onboarding node',
      'Verifier',
      'Brisa Energy',
      'Accreditation: TAO',
      'Accreditation: TAO',
    ])
    expect(createNames('es', context).of(keys.rootTao.did)).toBe('TAO raíz')
  })

  it('distinguish upper and lower case in a DID, where they are other identifiers', () => {
    expect(createNames('en', context).of(keys.issuer.did.toLowerCase())).toBeUndefined()
  })

  it('come from other sources too, which cannot rename a seeded part', () => {
    const names = createNames('en', context, [
      ['did:key:zHolder', 'Ana Ruiz, Almenara Logistics'],
      [keys.issuer.did, 'Mallory'],
    ])
    expect(names.of('did:key:zHolder')).toBe('Ana Ruiz, Almenara Logistics')
    expect(names.of(keys.issuer.did)).toBe('Issuer')
    expect(names.byDid).toEqual({
      'did:key:zHolder': 'Ana Ruiz, Almenara Logistics',
      [keys.rootTao.did]: 'Root TAO',
      [keys.tao.did]: 'TAO',
      [keys.issuer.did]: 'Issuer',
      [keys.verifier.did]: 'Verifier',
    })
  })
})

describe('a DID with its name', () => {
  const names = createNames('en', context, [['did:key:zHolder', '<b>Ana</b>']])

  it('leads to its history and can be copied', () => {
    const { markup } = didName(frame, names, keys.issuer.did)
    const path = `/registries/pre/identifiers/${encodeURIComponent(keys.issuer.did)}`
    expect(markup).toContain(`<a href="${path}">Issuer</a>`)
    expect(markup).toContain(`data-copy="${keys.issuer.did}"`)
  })

  it('has no history if it is not in the registry of the environment', () => {
    const pro = createEnvironmentKeys('a-seed', 'pro').issuer.did
    for (const did of ['did:key:zHolder', pro]) {
      expect(didName(frame, names, did).markup).not.toContain('<a ')
    }
  })

  it('is escaped', () => {
    const { markup } = didName(frame, names, 'did:key:zHolder')
    expect(markup).toContain('&lt;b&gt;Ana&lt;/b&gt;')
    expect(didName(frame, names, 'did:<b>').markup).not.toContain('<b>')
  })
})

it('explains known members by the nearest text, and no other name', () => {
  const mandatee = { email: 'ana@example.org', 'x-badge': 7 }
  const content = {
    sub: 'ana',
    constructor: 1,
    vc: { credentialSubject: { mandate: { mandatee } } },
  }
  expect(explainClaims(content, 'en').map(({ path, explanation }) => [path, explanation])).toEqual([
    ['sub', expect.stringContaining('Subject')],
    ['constructor', undefined],
    ['vc.credentialSubject.mandate.mandatee.email', 'Email address of the person'],
    ['vc.credentialSubject.mandate.mandatee.x-badge', 'The person who acts for the organization'],
  ])
})

import { describe, expect, it } from 'vitest'
import {
  createHolder,
  createTrustWorld,
  type TrustWorld,
} from '#conformance/world/create-trust-world.ts'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import {
  credentialRules,
  verifyLearCredential,
} from '#core/lear-credential/verify-lear-credential.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'

type Payload = ReturnType<TrustWorld['credentialPayload']>

const verify = (world: TrustWorld, credential: string, policy = world.policy) =>
  verifyLearCredential({
    credential,
    policy,
    holderDid: world.holder.did,
    now: world.now,
    ...world.sources,
  })

const rulesOf = ({ failures }: { failures: readonly { rule: string }[] }) => [
  ...new Set(failures.map(({ rule }) => rule)),
]

const vcWith = (payload: Payload, members: object) => ({
  ...payload,
  vc: { ...payload.vc, ...members },
})
const mandateWith = (payload: Payload, members: object) =>
  vcWith(payload, {
    credentialSubject: {
      ...payload.vc.credentialSubject,
      mandate: { ...payload.vc.credentialSubject.mandate, ...members },
    },
  })

describe('a status list that is not below the base of a credential issuer (V46)', () => {
  it.each([
    'https://issuer.example/status/../../admin',
    'https://issuer.example/status/%2e%2e/admin',
    'https://issuer.example/status-lists/1?x',
    'https://issuer.example/status-lists/1#x',
    'https://issuer.example:8443/status-lists/1',
    'https://issuer.example',
  ])('is not asked for: %s', async (statusListCredential) => {
    const world = createTrustWorld()
    const payload = world.credentialPayload()
    const credentialStatus = { ...payload.vc.credentialStatus, statusListCredential }
    const asked: string[] = []
    const result = await verifyLearCredential({
      credential: world.issue({ ...payload, vc: { ...payload.vc, credentialStatus } }),
      policy: world.policy,
      holderDid: world.holder.did,
      now: world.now,
      ...world.sources,
      async fetchStatusList(url) {
        asked.push(url)
        return world.sources.fetchStatusList(url)
      },
    })
    expect([asked, result.failures.map(({ rule }) => rule)]).toEqual([[], ['credential.status']])
  })
})

describe('a credential with nothing wrong', () => {
  it('breaks no rule, and every rule was evaluated', async () => {
    const world = createTrustWorld()
    const result = await verify(world, world.issue())
    expect(result.failures).toEqual([])
    expect(result.ok).toBe(true)
    const checked = new Set(result.checked.map(({ rule }) => rule))
    for (const { rule } of [...credentialRules, ...accreditationRules]) {
      expect(checked).toContain(rule)
    }
  })

  it('has its trust chain told up to the root', async () => {
    const world = createTrustWorld()
    const { trustChain } = await verify(world, world.issue())
    expect(trustChain.map(({ did, issuerType }) => [did, issuerType])).toEqual([
      [world.issuer.did, 'TI'],
      [world.tao.did, 'TAO'],
      [world.root.did, 'RTAO'],
    ])
  })

  it('passes without credentialStatus, and the explanation says so (A-23)', async () => {
    const world = createTrustWorld()
    const payload = world.credentialPayload()
    const { credentialStatus: _, ...vc } = payload.vc
    const result = await verify(world, world.issue({ ...payload, vc }))
    expect(result.ok).toBe(true)
    const status = result.checked.find(({ rule }) => rule === 'credential.status')
    expect(status?.notes).toHaveLength(1)
    expect(world.asked.some((what) => what.startsWith('status-list'))).toBe(false)
  })

  it('passes where its key ended after it was signed, and the explanation says so (V31)', async () => {
    const world = createTrustWorld()
    for (const entry of world.keyUses) {
      if (entry.kid === world.issuer.kid && entry.relationship === 'assertionMethod') {
        entry.notAfter = world.now - 500
      }
    }
    const payload = world.credentialPayload()
    // Its status list is signed by a key that is valid now.
    const { credentialStatus: _, ...vc } = payload.vc
    const result = await verify(world, world.issue({ ...payload, vc }))
    expect(result.failures).toEqual([])
    const key = result.checked.find(({ rule }) => rule === 'credential.issuer-key')
    expect(key?.notes).toHaveLength(1)
  })

  it('passes with the old key of a roll, signed within the overlap (V33)', async () => {
    const world = createTrustWorld()
    const successor = createPrivateJwk('secp256k1', Buffer.alloc(32, 9))
    const kid = `${world.issuer.did}#${'n'.repeat(43)}`
    world.keyUses.push({
      ...world.use(kid, successor, 'assertionMethod'),
      notBefore: world.now - 1500,
    })
    for (const entry of world.keyUses) {
      if (entry.kid === world.issuer.kid) entry.notAfter = world.now - 900
    }
    const list = world.publishStatusList([])
    world.statusLists.set(world.statusListUrl, world.sign(list, { kid, privateKey: successor }))
    expect((await verify(world, world.issue())).failures).toEqual([])
  })

  it.each([
    ['its types in another order', (p: Payload) => vcWith(p, { type: [...p.vc.type].reverse() })],
    ['an issuer object', (p: Payload) => vcWith(p, { issuer: { id: p.iss, name: 'Issuer' } })],
    ['times with a fraction', (p: Payload) => ({ ...p, iat: p.iat + 0.25, nbf: p.nbf + 0.25 })],
    ['a list of terms', (p: Payload) => vcWith(p, { termsOfUse: [{ id: 'x' }, p.vc.termsOfUse] })],
    [
      'a DID with escaped colons',
      (p: Payload) =>
        vcWith(p, {
          termsOfUse: {
            id: p.vc.termsOfUse.id.replace(/did:org:uc-pre:/, 'did%3Aorg%3Auc-pre%3A'),
          },
        }),
    ],
  ] as const)('passes with %s', async (_name, change) => {
    const world = createTrustWorld()
    const result = await verify(world, world.issue(change(world.credentialPayload())))
    expect(result.failures).toEqual([])
  })
})

// @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1..5 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7..8 1.limits.5 1.errors.13
describe('one thing broken in the credential', () => {
  const year2000 = '2000-01-01T00:00:00Z'
  const other = (world: TrustWorld) => world.createParty('somebody else')

  const cases: readonly [string, string[], (payload: Payload, world: TrustWorld) => object][] = [
    [
      'V25 another first context',
      ['credential.context'],
      (p) =>
        vcWith(p, { '@context': ['https://www.w3.org/2018/credentials/v1', ...p.vc['@context']] }),
    ],
    ['V25 no context', ['credential.context'], (p) => vcWith(p, { '@context': undefined })],
    [
      'V25 the context as a text',
      ['credential.context'],
      (p) => vcWith(p, { '@context': p.vc['@context'][0] }),
    ],
    [
      'V24 an inherited type missing',
      ['credential.type-chain'],
      (p) => vcWith(p, { type: ['VerifiableCredential', 'OrgPortalLearCredential'] }),
    ],
    [
      'V24 VerifiableCredential missing',
      ['credential.type-chain'],
      (p) => vcWith(p, { type: ['LEARCredential', 'OrgPortalLearCredential'] }),
    ],
    [
      'V23 another type',
      ['credential.type'],
      (p) => vcWith(p, { type: ['VerifiableCredential', 'LEARCredential', 'OtherCredential'] }),
    ],
    [
      'V23 a type below the accepted one',
      ['credential.type'],
      (p) => vcWith(p, { type: [...p.vc.type, 'SpecialCredential'] }),
    ],
    [
      'V23 the type as a text',
      ['credential.type-chain', 'credential.type'],
      (p) => vcWith(p, { type: 'OrgPortalLearCredential' }),
    ],
    ['V26 no power', ['credential.power'], (p) => mandateWith(p, { power: undefined })],
    ['V26 an empty power', ['credential.power'], (p) => mandateWith(p, { power: [] })],
    ['V26 the power as a text', ['credential.power'], (p) => mandateWith(p, { power: '[{}]' })],
    ['V27 no employeeId', ['credential.employee-id'], (p) => mandateWith(p, { mandatee: {} })],
    [
      'V27 an empty employeeId',
      ['credential.employee-id'],
      (p) => mandateWith(p, { mandatee: { employeeId: ' ' } }),
    ],
    [
      'V27 a number as employeeId',
      ['credential.employee-id'],
      (p) => mandateWith(p, { mandatee: { employeeId: 7 } }),
    ],
    [
      'no mandate',
      ['credential.power', 'credential.employee-id'],
      (p) => vcWith(p, { credentialSubject: { id: p.sub } }),
    ],
    ['V21 past validUntil', ['credential.expiry'], (p) => vcWith(p, { validUntil: year2000 })],
    ['V21 past exp', ['credential.expiry'], (p, { now }) => ({ ...p, exp: now })],
    [
      'V21 a validUntil that is no time',
      ['credential.expiry'],
      (p) => vcWith(p, { validUntil: 'tomorrow' }),
    ],
    [
      'V21 no end at all',
      ['credential.expiry'],
      (p) => vcWith({ ...p, exp: undefined as never }, { validUntil: undefined }),
    ],
    [
      'V22 validFrom in the future',
      ['credential.not-before'],
      (p) => vcWith(p, { validFrom: '2999-01-01T00:00:00Z' }),
    ],
    ['V22 nbf in the future', ['credential.not-before'], (p, { now }) => ({ ...p, nbf: now + 61 })],
    [
      'iat missing',
      ['credential.issued-at', 'credential.issuer-document', 'credential.issuer-key'],
      (p) => ({ ...p, iat: undefined }),
    ],
    [
      'iat in the future',
      ['credential.issued-at', 'credential.issuer-document', 'credential.issuer-key'],
      (p, { now }) => ({ ...p, iat: now + 61 }),
    ],
    [
      'another iss',
      ['credential.issuer', 'credential.terms-of-use', 'credential.status'],
      (p, world) => ({ ...p, iss: other(world).did }),
    ],
    [
      'another vc.issuer',
      ['credential.issuer'],
      (p, world) => vcWith(p, { issuer: other(world).did }),
    ],
    [
      'V12 about another holder',
      ['credential.holder'],
      (p) =>
        vcWith(
          { ...p, sub: createHolder('thief').did },
          {
            credentialSubject: { ...p.vc.credentialSubject, id: createHolder('thief').did },
          },
        ),
    ],
    [
      'V12 sub of another holder',
      ['credential.holder'],
      (p) => ({
        ...p,
        sub: createHolder('thief').did,
      }),
    ],
    [
      'V12 no subject',
      ['credential.holder'],
      (p) => vcWith(p, { credentialSubject: { mandate: p.vc.credentialSubject.mandate } }),
    ],
    [
      'V38 no terms of use',
      ['credential.terms-of-use'],
      (p) => vcWith(p, { termsOfUse: undefined }),
    ],
    [
      'V39 another environment',
      ['credential.terms-of-use'],
      (p) =>
        vcWith(p, {
          termsOfUse: { id: p.vc.termsOfUse.id.replace('tir.example', 'tir-pro.example') },
        }),
    ],
    [
      'V39 a DID of another environment',
      ['credential.terms-of-use'],
      (p) => vcWith(p, { termsOfUse: { id: p.vc.termsOfUse.id.replace('uc-pre', 'uc') } }),
    ],
    [
      'V41 an attributeId that is not hex',
      ['credential.terms-of-use'],
      (p) => vcWith(p, { termsOfUse: { id: p.vc.termsOfUse.id.replace(/.$/, 'g') } }),
    ],
    [
      'V46 an internal address',
      ['credential.terms-of-use'],
      (p) => vcWith(p, { termsOfUse: { id: 'http://169.254.169.254/latest/meta-data' } }),
    ],
    [
      'V46 dot segments',
      ['credential.terms-of-use'],
      (p) => vcWith(p, { termsOfUse: { id: p.vc.termsOfUse.id.replace('/v1/', '/v1/../v1/') } }),
    ],
    [
      'V46 a query',
      ['credential.terms-of-use'],
      (p) => vcWith(p, { termsOfUse: { id: `${p.vc.termsOfUse.id}?x` } }),
    ],
    [
      'V46 a base that only begins alike',
      ['credential.terms-of-use'],
      (p) =>
        vcWith(p, {
          termsOfUse: { id: p.vc.termsOfUse.id.replace('-registry/', '-registry@evil.example/') },
        }),
    ],
    [
      'V35 an attribute that is not there',
      ['trust.attribute'],
      (p) => vcWith(p, { termsOfUse: { id: p.vc.termsOfUse.id.replace(/.{4}$/, '0000') } }),
    ],
    [
      'V40 the accreditation of the TAO',
      ['credential.terms-of-use'],
      (p, { tao, issuer }) =>
        vcWith(p, {
          termsOfUse: {
            id: p.vc.termsOfUse.id
              .replace(issuer.did, tao.did)
              .replace(issuer.attributeId, tao.attributeId),
          },
        }),
    ],
    [
      'a status of an unknown type',
      ['credential.status'],
      (p) => vcWith(p, { credentialStatus: { type: 'RevocationList2020Status' } }),
    ],
    [
      'V46 a status list elsewhere',
      ['credential.status'],
      (p) =>
        vcWith(p, {
          credentialStatus: {
            ...p.vc.credentialStatus,
            statusListCredential: 'http://127.0.0.1:22/x',
          },
        }),
    ],
    [
      'an index beyond the list',
      ['credential.status'],
      (p) =>
        vcWith(p, { credentialStatus: { ...p.vc.credentialStatus, statusListIndex: '131072' } }),
    ],
    [
      'a status for another purpose',
      ['credential.status'],
      (p) =>
        vcWith(p, { credentialStatus: { ...p.vc.credentialStatus, statusPurpose: 'suspension' } }),
    ],
  ]

  it.each(cases)('%s', async (_name, expected, change) => {
    const world = createTrustWorld()
    const result = await verify(world, world.issue(change(world.credentialPayload(), world)))
    expect(result.ok).toBe(false)
    expect(rulesOf(result)).toEqual(expected)
  })

  it('sends no request to an address or a DID that a credential made up', async () => {
    const world = createTrustWorld()
    const payload = vcWith(world.credentialPayload(), {
      termsOfUse: { id: 'http://169.254.169.254/v1/issuers/x/attributes/y' },
      credentialStatus: {
        ...world.credentialPayload().vc.credentialStatus,
        statusListCredential: 'http://localhost/x',
      },
    })
    await verify(world, world.issue(payload, { kid: 'did:web:evil.example#key' }))
    expect(world.asked).toEqual([])
  })
})

// @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6
describe('one thing broken in the signature', () => {
  const cases: readonly [string, string[], (world: TrustWorld) => string][] = [
    [
      'V20 another payload under the signature',
      ['credential.signature'],
      (world) => {
        const [header, , signature] = world.issue().split('.')
        const payload = { ...world.credentialPayload(), jti: 'urn:uuid:another' }
        return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join(
          '.',
        )
      },
    ],
    [
      'V20 signed by another key',
      ['credential.signature'],
      (world) =>
        world.sign(world.credentialPayload(), {
          kid: world.issuer.kid,
          privateKey: world.tao.privateKey,
        }),
    ],
    [
      'V13 alg none',
      ['credential.algorithm', 'credential.signature'],
      (world) => {
        const header = { alg: 'none', typ: 'JWT', kid: world.issuer.kid }
        return `${encode(header)}.${encode(world.credentialPayload())}.`
      },
    ],
    [
      'V14 HS256 with the public key',
      ['credential.algorithm', 'credential.signature'],
      (world) => {
        const header = { alg: 'HS256', typ: 'JWT', kid: world.issuer.kid }
        return `${encode(header)}.${encode(world.credentialPayload())}.${'A'.repeat(43)}`
      },
    ],
    [
      'V15 ES256 with a key of secp256k1',
      ['credential.signature'],
      (world) => {
        const [, payload, signature] = world.issue().split('.')
        return `${encode({ alg: 'ES256', typ: 'JWT', kid: world.issuer.kid })}.${payload}.${signature}`
      },
    ],
    [
      'V28 an issuer that is not registered',
      [
        'credential.issuer',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.signature',
        'credential.status',
      ],
      (world) => {
        const kid = `did:org:uc-pre:z1Unknown#${'k'.repeat(43)}`
        return world.sign(world.credentialPayload(), { kid, privateKey: world.issuer.privateKey })
      },
    ],
    [
      'a path in kid',
      [
        'credential.issuer',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.signature',
        'credential.status',
      ],
      (world) => world.issue(undefined, { kid: `${world.issuer.did}/../../x#k` }),
    ],
    [
      'V29 a key that is not in assertionMethod',
      ['credential.issuer-key'],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
        const kid = `${world.issuer.did}#${'a'.repeat(43)}`
        world.use(kid, privateKey, 'authentication')
        return world.sign(world.credentialPayload(), { kid, privateKey })
      },
    ],
    [
      'a key that is listed without any relationship',
      ['credential.issuer-key'],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
        const kid = `${world.issuer.did}#${'u'.repeat(43)}`
        world.use(kid, privateKey)
        return world.sign(world.credentialPayload(), { kid, privateKey })
      },
    ],
    [
      'V30 a key revoked before the credential was signed',
      ['credential.issuer-key', 'credential.signature'],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
        const kid = `${world.issuer.did}#${'r'.repeat(43)}`
        world.use(kid, privateKey, 'assertionMethod').notAfter = world.now - 1001
        return world.sign(world.credentialPayload(), { kid, privateKey })
      },
    ],
    [
      'V34 the old key of a roll after the overlap',
      ['credential.issuer-key', 'credential.signature'],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
        const kid = `${world.issuer.did}#${'o'.repeat(43)}`
        world.use(kid, privateKey, 'assertionMethod').notAfter = world.now - 1500
        return world.sign(world.credentialPayload(), { kid, privateKey })
      },
    ],
    ['no JWT at all', ['credential.format'], () => 'no JWT'],
    ['a JWT without vc', ['credential.format'], (world) => world.sign({ iss: 'x' }, world.issuer)],
    [
      'nesting without end',
      ['credential.format'],
      (world) => {
        const payload = `{"vc":{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`
        return `${encode({ alg: 'ES256K', kid: world.issuer.kid })}.${Buffer.from(payload).toString('base64url')}.AA`
      },
    ],
  ]

  it.each(cases)('%s', async (_name, expected, create) => {
    const world = createTrustWorld()
    const result = await verify(world, create(world))
    expect(result.ok).toBe(false)
    expect(rulesOf(result)).toEqual(expected)
  })
})

describe('what others say about the credential', () => {
  const cases: readonly [string, string[], (world: TrustWorld) => void][] = [
    [
      'a status list signed by a key that is listed without any relationship',
      ['credential.status'],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
        const kid = `${world.issuer.did}#${'u'.repeat(43)}`
        world.use(kid, privateKey)
        world.publishStatusList([], { ...world.issuer, kid, privateKey })
      },
    ],
    ['V43 the status bit is set', ['credential.status'], (world) => world.publishStatusList([7])],
    [
      'a list of another issuer',
      ['credential.status'],
      (world) => world.publishStatusList([], world.tao),
    ],
    ['no list', ['credential.status'], (world) => world.statusLists.clear()],
    [
      'a list of somebody else under its address',
      ['credential.status'],
      (world) => {
        const url = `${world.statusListUrl}0`
        world.publishStatusList([], world.issuer, url)
        world.statusLists.set(world.statusListUrl, world.statusLists.get(url) ?? '')
      },
    ],
    ['status list down', ['credential.status'], (world) => world.unavailable.add('status-list')],
    ['V44 TIR down', ['trust.attribute'], (world) => world.unavailable.add('tir')],
    [
      'V45 DID registry down',
      [
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.signature',
        'credential.status',
        'trust.signature',
      ],
      (world) => world.unavailable.add('did-registry'),
    ],
  ]

  it.each(cases)('%s', async (_name, expected, change) => {
    const world = createTrustWorld()
    change(world)
    const result = await verify(world, world.issue())
    expect(result.ok).toBe(false)
    expect(rulesOf(result)).toEqual(expected)
  })

  it.each(['did-registry', 'tir', 'status-list'] as const)(
    'tells what could not be checked without the %s from what is broken',
    async (service) => {
      const world = createTrustWorld()
      const broken = world.issue(mandateWith(world.credentialPayload(), { power: [] }))
      world.unavailable.add(service)
      const { failures } = await verify(world, broken)
      const marked = failures.map(({ rule, unchecked }) => [rule, unchecked] as const)
      expect(marked).toContainEqual(['credential.power', undefined])
      const others = marked.filter(([rule]) => rule !== 'credential.power')
      expect(others.length).toBeGreaterThan(0)
      expect(others.filter(([, unchecked]) => unchecked !== 'unavailable')).toEqual([])
    },
  )

  it('takes the word of a registry that knows no such DID for a broken rule', async () => {
    const world = createTrustWorld()
    world.keyUses.splice(0)
    const { failures } = await verify(world, world.issue())
    expect(failures.map(({ rule }) => rule)).toContain('credential.issuer-document')
    expect(failures.filter(({ unchecked }) => unchecked !== undefined)).toEqual([])
  })

  it.each(['kid', 'iss'])('judges a %s that is no text and can not become one', async (name) => {
    const world = createTrustWorld()
    const strange = { toString: 'x', valueOf: 'x' }
    const payload = world.credentialPayload()
    const credential =
      name === 'kid'
        ? world.issue(payload, { kid: strange })
        : world.issue({ ...payload, iss: strange })
    const result = await verify(world, credential)
    expect(result.ok).toBe(false)
    expect(rulesOf(result)).toContain('credential.issuer')
  })

  it('does not look at the list where the environment is set so', async () => {
    const world = createTrustWorld()
    world.publishStatusList([7])
    const result = await verify(world, world.issue(), { ...world.policy, checkStatus: false })
    expect(result.ok).toBe(true)
  })
})

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

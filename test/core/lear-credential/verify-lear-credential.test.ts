import { describe, expect, it } from 'vitest'
import { createTrustWorld, type TrustWorld } from '#conformance/world/create-trust-world.ts'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { createCredentialSchema } from '#core/lear-credential/credential-type.ts'
import {
  credentialRules,
  verifyLearCredential,
} from '#core/lear-credential/verify-lear-credential.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'
import { validateAgainstSchema } from '#test/support/foreign-verifiers.ts'

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

describe('the end of an accepted credential', () => {
  it.each([
    ['only validUntil', 900, undefined, 900],
    ['only exp', undefined, 600, 600],
    ['exp, if it is earlier', 900, 600, 600],
    ['validUntil, if it is earlier', 600, 900, 600],
    ['validUntil, if exp is the same second', 600.5, 600, 600.5],
  ])('is in its vc claim: %s', async (_name, validUntil, exp, end) => {
    const world = createTrustWorld()
    const { exp: _, ...payload } = world.credentialPayload()
    const { validUntil: __, ...vc } = payload.vc
    const time = (seconds: number) => new Date((world.now + seconds) * 1000).toISOString()
    const credential = world.issue({
      ...payload,
      ...(exp && { exp: world.now + exp }),
      vc: { ...vc, ...(validUntil && { validUntil: time(validUntil) }) },
    })
    const result = await verify(world, credential)
    expect(rulesOf(result)).toEqual([])
    expect(Date.parse(String(result.vc?.validUntil))).toBe((world.now + end) * 1000)
  })
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

describe('a valid credential', () => {
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

  it('reports its trust chain up to the root', async () => {
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

  it('passes if its key ended after the signature, and the explanation says so (V31)', async () => {
    const world = createTrustWorld()
    for (const entry of world.usesOf(world.issuer.did)) {
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
    Object.assign(world.use(kid, successor, 'assertionMethod'), { notBefore: world.now - 1500 })
    for (const entry of world.usesOf(world.issuer.did)) {
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

// test/conformance/world breaks each rule by a named defect; here is what no defect shows.
describe('a credential with one error', () => {
  const other = (world: TrustWorld) => world.createParty('another issuer')

  const cases: readonly [string, string[], (payload: Payload, world: TrustWorld) => object][] = [
    [
      'V25 the context as a string',
      ['credential.context'],
      (p) => vcWith(p, { '@context': p.vc['@context'][0] }),
    ],
    [
      'V23 the type as a string',
      ['credential.type-chain', 'credential.type'],
      (p) => vcWith(p, { type: 'OrgPortalLearCredential' }),
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
    ['V21 past exp', ['credential.expiry'], (p, { now }) => ({ ...p, exp: now })],
    ['an exp in milliseconds', ['credential.expiry'], (p) => ({ ...p, exp: p.exp * 1000 })],
    [
      'a validUntil more than 14 hours from UTC',
      ['credential.expiry'],
      (p) => vcWith(p, { validUntil: '2999-01-01T00:00:00+14:01' }),
    ],
    [
      'V22 validFrom in the future',
      ['credential.not-before'],
      (p) => vcWith(p, { validFrom: '2999-01-01T00:00:00Z' }),
    ],
    ['V22 nbf in the future', ['credential.not-before'], (p, { now }) => ({ ...p, nbf: now + 61 })],
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
      'a status for another purpose',
      ['credential.status'],
      (p) =>
        vcWith(p, { credentialStatus: { ...p.vc.credentialStatus, statusPurpose: 'suspension' } }),
    ],
    [
      'a status of two bits',
      ['credential.status'],
      (p) => vcWith(p, { credentialStatus: { ...p.vc.credentialStatus, statusSize: 2 } }),
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

describe('a signature with one error', () => {
  const cases: readonly [string, string[], (world: TrustWorld) => string][] = [
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
      'V34 the old key of a roll after the overlap',
      ['credential.issuer-key', 'credential.signature'],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
        const kid = `${world.issuer.did}#${'o'.repeat(43)}`
        world.use(kid, privateKey, 'assertionMethod').notAfter = world.now - 1500
        return world.sign(world.credentialPayload(), { kid, privateKey })
      },
    ],
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

describe('a credential that registries or lists reject', () => {
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
    [
      'a list of another issuer under its address',
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
    'distinguishes rules that could not be checked without the %s from broken ones',
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

  it('treats an unregistered DID as a broken rule', async () => {
    const world = createTrustWorld()
    world.usesOf(world.issuer.did).splice(0)
    const { failures } = await verify(world, world.issue())
    expect(failures.map(({ rule }) => rule)).toContain('credential.issuer-document')
    expect(failures.filter(({ unchecked }) => unchecked !== undefined)).toEqual([])
  })

  it.each(['kid', 'iss'])('rejects a %s that cannot become a string', async (name) => {
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

  it('does not read the list if the environment is configured so', async () => {
    const world = createTrustWorld()
    world.publishStatusList([7])
    const result = await verify(world, world.issue(), { ...world.policy, checkStatus: false })
    expect(result.ok).toBe(true)
  })
})

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

describe('the JSON Schema of a credential type', () => {
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

  it('is of draft 2020-12, under its own address', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.$id).toBe(url)
  })

  it.each([
    ['unchanged', (vc: Vc) => vc],
    [
      'that names the schema',
      (vc: Vc) => ({ ...vc, credentialSchema: { id: url, type: 'JsonSchema' } }),
    ],
    ['with additional members', (vc: Vc) => mandateWith({ ...vc, name: 'x' } as Vc, { id: 'm-1' })],
    ['with an issuer object', (vc: Vc) => ({ ...vc, issuer: { id: vc.issuer } })],
  ])('accepts a credential %s', (_, change) => {
    expect(validateAgainstSchema(schema, vcWith(change))).toEqual([])
  })

  it.each([
    ...Object.keys(createTrustWorld().credentialPayload().vc)
      .filter((member) => member !== 'credentialStatus')
      .map((member) => [`no ${member}`, (vc: Vc) => ({ ...vc, [member]: undefined })] as const),
    ['a different first context', (vc: Vc) => ({ ...vc, '@context': ['https://x.example'] })],
    ['a missing inherited type', (vc: Vc) => ({ ...vc, type: vc.type.slice(1) })],
    ['its own type missing', (vc: Vc) => ({ ...vc, type: vc.type.slice(0, 2) })],
    ['an id that is not a urn:uuid', (vc: Vc) => ({ ...vc, id: 'x' })],
    ['an issuer that is not a DID', (vc: Vc) => ({ ...vc, issuer: 'https://issuer.example' })],
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
      'a different schema',
      (vc: Vc) => ({ ...vc, credentialSchema: { id: `${url}x`, type: 'JsonSchema' } }),
    ],
    [
      'a status without index',
      (vc: Vc) => ({
        ...vc,
        credentialStatus: { ...vc.credentialStatus, statusListIndex: undefined },
      }),
    ],
  ] as const)('rejects one with %s', (_, change) => {
    const broken = JSON.parse(JSON.stringify(vcWith(change as (vc: Vc) => unknown)))
    expect(validateAgainstSchema(schema, broken)).not.toEqual([])
  })
})

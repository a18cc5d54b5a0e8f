import { createHmac, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TrustWorld } from '#conformance/world/create-trust-world.ts'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { createPrivateJwk, type PublicJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import {
  issueWithMandate,
  type PresentationForm,
  type PresentationRequest,
  presentCredential,
  presentToVerifier,
  resignPresentation,
  startVerifier,
  unsignedJwt,
} from '#test/support/verifier.ts'

const payloadTextOf = (jwt = '') => Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()

/** A JWT with a MAC; its key is public. */
function macJwt(header: object, payload: object | string, key: string | Buffer): string {
  const input = unsignedJwt(header, payload).slice(0, -1)
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

/** The forms of a public key that a library may use as a MAC secret. */
function spellingsOf(jwk: PublicJwk): (string | Buffer)[] {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const [x, y] = [jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url'))
  return [
    String(key.export({ format: 'pem', type: 'spki' })),
    key.export({ format: 'der', type: 'spki' }),
    JSON.stringify(jwk),
    x as Buffer,
    Buffer.concat([x as Buffer, y as Buffer]),
    '',
  ]
}

/** Another payload or header with the signature of the original. */
function replacePart(jwt: string, index: number, part: object | string): string {
  const text = typeof part === 'string' ? part : JSON.stringify(part)
  return jwt.split('.').with(index, Buffer.from(text).toString('base64url')).join('.')
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const thief = createHolder('thief')
const stranger = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
const didJwk = (json: string) => `did:jwk:${Buffer.from(json).toString('base64url')}#0`

const unsigned = ['presentation.algorithm', 'presentation.signature']
const noKey = [
  'presentation.kid',
  'presentation.issuer',
  'presentation.signature',
  'credential.holder',
]

type Change = (
  form: PresentationForm,
  world: TrustWorld,
  request: PresentationRequest,
) => Partial<PresentationForm>

const withHeader =
  (alg: string): Change =>
  ({ vp_token = '' }, { holder }) => ({
    vp_token: replacePart(vp_token, 0, { alg, typ: 'JWT', kid: holder.kid }),
  })
const withKid =
  (kid: unknown): Change =>
  (form, world) =>
    resignPresentation(world, form, {}, { kid })
const withPayload =
  (change: (text: string) => string): Change =>
  ({ vp_token = '' }) => ({ vp_token: replacePart(vp_token, 1, change(payloadTextOf(vp_token))) })
const withToken =
  (create: (payload: string) => string): Change =>
  ({ vp_token }) => ({ vp_token: create(payloadTextOf(vp_token)) })
const twice = (member: string, value: string) =>
  withPayload((text) => text.replace(`"${member}":`, `"${member}":${value},"${member}":`))

const presentations: readonly (readonly [string, readonly string[] | 'PENDING', Change])[] = [
  ...['None', 'NONE', ''].map((alg) => {
    const change: Change = ({ vp_token }, { holder: { kid } }) => ({
      vp_token: unsignedJwt({ alg, typ: 'JWT', kid }, payloadTextOf(vp_token)),
    })
    return [`no signature and alg ${alg || 'empty'} (V13)`, unsigned, change] as const
  }),
  ...[0, 1, 2, 3, 4, 5].map((index) => {
    const change: Change = ({ vp_token }, { holder: { kid, privateKey } }) => ({
      vp_token: macJwt(
        { alg: 'HS256', typ: 'JWT', kid },
        payloadTextOf(vp_token),
        spellingsOf(publicJwkOf(privateKey))[index] ?? '',
      ),
    })
    return [`HS256 with the public key as secret ${index} (V14)`, unsigned, change] as const
  }),
  ...['ES256', 'ES512', 'RS256', 'Ed25519'].map(
    (alg) => [`alg ${alg} over a secp256k1 key (V15)`, unsigned, withHeader(alg)] as const,
  ),
  [
    'kid of another DID',
    ['presentation.issuer', 'presentation.signature', 'credential.holder'],
    withKid(thief.kid),
  ],
  ...(
    [
      ["the verifier's environment", 'did:org:uc-pre:z1Holder#key'],
      ['a path', '../../../../etc/passwd'],
      ['a DID followed by a path', `${thief.did}/../${thief.did}#x`],
      ['a base58 number of 100,000 digits', `did:key:z${'z'.repeat(100_000)}#x`],
      ['a did:jwk of 100,000 characters', didJwk(`{"kty":"EC","x":"${'a'.repeat(75_000)}"}`)],
      ['a did:jwk with its private key', didJwk(JSON.stringify(thief.privateKey))],
      ['a list', [thief.kid]],
      ['null', null],
    ] as const
  ).map(([name, kid]) => [`kid is ${name}`, noKey, withKid(kid)] as const),
  ['two members nonce', 'PENDING', twice('nonce', '"x"')],
  ['two members aud, the right one last', 'PENDING', twice('aud', '"x"')],
  ['two members verifiableCredential', 'PENDING', twice('verifiableCredential', '[]')],
  [
    'iss in two spellings',
    'PENDING',
    withPayload((text) => text.replace('{"iss":', '{"\\u0069ss":"did:key:z6Mk","iss":')),
  ],
  ...[
    ['two algorithms', '{"alg":"none","alg":"ES256K","typ":"JWT"}'],
    ['a byte order mark', '\ufeff{"alg":"ES256K","typ":"JWT"}'],
    ['a list', '[{"alg":"ES256K"}]'],
    ['nesting of 40,000 levels', `{"alg":"ES256K","x":${deep(40_000)}}`],
  ].map(([name, header = '']) => {
    const change = withToken((payload) => unsignedJwt(header, payload, 'AAAA'))
    return [`a header with ${name}`, 'PENDING', change] as const
  }),
  ...[40, 60_000].map((levels) => {
    const change = withToken(() => unsignedJwt({ alg: 'ES256K' }, `{"vp":${deep(levels)}}`))
    return [`claims nested ${levels} levels deep (V47)`, 'PENDING', change] as const
  }),
  [
    'two descriptor_map in the submission',
    ['submission.format', 'submission.definition-id', 'submission.descriptor-map'],
    ({ presentation_submission = '' }) => ({
      presentation_submission: presentation_submission.replace(
        '"descriptor_map":',
        '"descriptor_map":[],"descriptor_map":',
      ),
    }),
  ],
  [
    'nonce and submission only in __proto__',
    [
      'presentation.nonce',
      'submission.format',
      'submission.definition-id',
      'submission.descriptor-map',
    ],
    (form, world, { nonce }) => ({
      ...resignPresentation(
        world,
        form,
        JSON.parse(`{"nonce":null,"__proto__":{"nonce":"${nonce}"}}`),
      ),
      presentation_submission: `{"__proto__":${form.presentation_submission}}`,
    }),
  ],
]

const verifier = await startVerifier()

describe('a hostile presentation', () => {
  it.each(presentations)('is not accepted: %s', async (_name, expected, change) => {
    const { response, status, rules } = await presentToVerifier(verifier, (form, request) => ({
      ...form,
      ...(change(form, verifier.world, request) as PresentationForm),
    }))
    expect([response.status, status, rules]).toEqual(
      expected === 'PENDING' ? [200, 'PENDING', []] : [200, 'FAILED', expected],
    )
  })

  it('is rejected with 413 above the limit, and evaluated below it (V47)', async () => {
    for (const [bytes, ...expected] of [
      [1_000_000, 413, 'PENDING'],
      [150_000, 200, 'SUCCESS'],
    ] as const) {
      const { response, status } = await presentToVerifier(verifier, (form) =>
        resignPresentation(verifier.world, form, { filler: 'x'.repeat(bytes) }),
      )
      expect([response.status, status]).toEqual(expected)
    }
  })

  it('with ten thousand credentials causes no lookup', async () => {
    const asked = verifier.servers.requests.length
    const { status, rules } = await presentToVerifier(verifier, (form) => {
      const { vp } = JSON.parse(payloadTextOf(form.vp_token))
      const verifiableCredential = Array.from({ length: 10_000 }, () => 'a.b.c')
      return resignPresentation(verifier.world, form, { vp: { ...vp, verifiableCredential } })
    })
    expect([status, rules]).toEqual([
      'FAILED',
      ['presentation.credentials', 'credential.claims', 'credential.format'],
    ])
    expect(verifier.servers.requests).toHaveLength(asked)
  })
})

const unknownSigner = [
  'credential.issuer',
  'credential.issuer-document',
  'credential.issuer-key',
  'credential.signature',
  'credential.status',
]
const unreadable = ['credential.claims', 'credential.format']

const credentials: readonly (readonly [
  string,
  readonly string[],
  (world: TrustWorld) => string,
])[] = [
  ...[0, 1, 2, 3, 4, 5].map((index) => {
    const create = ({ issuer: { kid, privateKey }, credentialPayload }: TrustWorld) =>
      macJwt(
        { alg: 'HS256', typ: 'JWT', kid },
        credentialPayload(),
        spellingsOf(publicJwkOf(privateKey))[index] ?? '',
      )
    const rules = ['credential.algorithm', 'credential.signature']
    return [`HS256 with the public key as secret ${index} (V14)`, rules, create] as const
  }),
  ...['ES256', 'EdDSA'].map((alg) => {
    const create = (world: TrustWorld) =>
      replacePart(world.issue(), 0, { alg, typ: 'JWT', kid: world.issuer.kid })
    return [`alg ${alg} over a secp256k1 key (V15)`, ['credential.signature'], create] as const
  }),
  [
    'kid of another registered DID',
    ['credential.issuer', 'credential.status'],
    (world) => world.sign(world.credentialPayload(), world.tao),
  ],
  ...(
    [
      ['the DID of a wallet', createHolder('issuer').kid],
      ['a DID followed by a path', 'did:org:uc-pre:z1Issuer/../../x#k'],
      ['a DID with a query', 'did:org:uc-pre:z1Issuer?valid-at=0#k'],
      ['a DID of the other environment', 'did:org:uc:z1Issuer#k'],
      ['100,000 characters', `did:org:uc-pre:z${'1'.repeat(100_000)}#k`],
      ['an object', { toString: 'x' }],
      ['missing', undefined],
    ] as const
  ).map(([name, kid]) => {
    const create = (world: TrustWorld) => world.issue(world.credentialPayload(), { kid })
    return [`kid is ${name}`, unknownSigner, create] as const
  }),
  [
    'two credentialSubject',
    unreadable,
    (world) => {
      const subject = '"credentialSubject":'
      const text = payloadTextOf(world.issue())
      const payload = text.replace(subject, `${subject}{"id":"did:key:z6Mk"},${subject}`)
      return replacePart(world.issue(), 1, payload)
    },
  ],
  ...[40, 20_000].map((levels) => {
    const create = () => unsignedJwt({ alg: 'ES256K' }, `{"vc":{"x":${deep(levels)}}}`, 'AAAA')
    return [`nested ${levels} levels deep (V47)`, unreadable, create] as const
  }),
  ...['__proto__', 'constructor', 'prototype'].map((name) => {
    const power = '[{"type":"domain","domain":"Org","function":"Onboarding","action":["execute"]}]'
    // As a string: in an object literal __proto__ would not be a member.
    const inherited = JSON.parse(`{"${name}":{"power":${power}}}`)
    const create = (world: TrustWorld) => {
      const credential = issueWithMandate(world, { power: undefined, ...inherited })
      expect(payloadTextOf(credential)).toContain(`"${name}":{"power"`)
      return credential
    }
    return [`power only in ${name}`, ['credential.power'], create] as const
  }),
  ...(
    [
      ['valid from the second after iat', { notBefore: 999 }, ['credential.issuer-key']],
      ['valid from iat on', { notBefore: 1000 }, []],
      [
        'revoked in the second before iat (V30)',
        { notAfter: 1001 },
        ['credential.issuer-key', 'credential.signature'],
      ],
      ['revoked at iat (V31)', { notAfter: 1000 }, []],
      [
        'listed for keyAgreement only (V29)',
        { relationship: 'keyAgreement' },
        ['credential.issuer-key'],
      ],
      [
        'listed for capabilityInvocation only (V29)',
        { relationship: 'capabilityInvocation' },
        ['credential.issuer-key'],
      ],
    ] as const
  ).map(([name, window, rules]) => {
    // The world's credentials have an iat 1000 seconds ago; the window is also in seconds ago.
    const create = (world: TrustWorld) => {
      const { notBefore = 5000, notAfter = -5000, ...use } = window as Record<string, number>
      const kid = `${world.issuer.did}#${'a'.repeat(43)}`
      const entry = world.use(kid, stranger, 'assertionMethod')
      Object.assign(entry, use)
      Object.assign(entry, { notBefore: world.now - notBefore, notAfter: world.now - notAfter })
      return world.sign(world.credentialPayload(), { kid, privateKey: stranger })
    }
    return [`a key ${name}`, rules, create] as const
  }),
  [
    'an accreditation with a different parent than in the registry, which is revoked (A-18)',
    ['trust.not-revoked'],
    (world) => {
      const { issuer, tao } = world
      const between = world.createParty('between')
      world.publish(between, tao, 'TAO')
      world.publish(issuer, between, 'TI')
      world.attributeOf(between).attribute.issuerType = 'REVOKED'
      const payload = world.accreditationOf(issuer, between)
      const { termsOfUse } = world.accreditationOf(issuer, tao).vc
      const body = world.sign({ ...payload, vc: { ...payload.vc, termsOfUse } }, between)
      world.attributeOf(issuer).attribute.body = Buffer.from(body).toString('base64url')
      return world.issue()
    },
  ],
]

describe('a presented credential', () => {
  it.each(credentials)('is evaluated: %s', async (_name, expected, create) => {
    const verifier = await startVerifier()
    const { response, status, rules } = await presentCredential(verifier, create(verifier.world))
    const verdict = expected.length === 0 ? 'SUCCESS' : 'FAILED'
    expect([response.status, status, rules]).toEqual([200, verdict, expected])
    expect(Object.hasOwn(Object.prototype, 'power')).toBe(false)
  })
})

describe('a hostile form', () => {
  it.each([
    ['an incomplete escape', 'vp_token=%', 200],
    ['bytes that are not UTF-8', 'vp_token=%ff%fe&presentation_submission=%00', 200],
    ['the same field twice', 'vp_token=a.b.c&vp_token=a.b.c', 200],
    ['nothing', '', 200],
    ['two thousand fields', 'a=1&'.repeat(2000), 413],
  ])('causes no server error: %s (V49)', async (_name, body, expected) => {
    const session = await verifier.createSession()
    const { response_uri } = await verifier.getRequest(session)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status } = await fetch(response_uri, { method: 'POST', headers, body })
    expect([status, (await verifier.inspect(session)).status]).toEqual([expected, 'PENDING'])
  })

  it('cannot set fields with __proto__ or constructor', async () => {
    const session = await verifier.createSession()
    const request = await verifier.getRequest(session)
    const { vp_token = '', presentation_submission = '' } = verifier.presentationFor(request)
    const fields = new URLSearchParams({ '__proto__[vp_token]': vp_token, presentation_submission })
    fields.append('__proto__', vp_token)
    fields.append('constructor', vp_token)
    const response = await fetch(request.response_uri, { method: 'POST', body: fields })
    expect([response.status, (await verifier.inspect(session)).status]).toEqual([200, 'PENDING'])
    await verifier.post(request.response_uri, { vp_token, presentation_submission })
    expect((await verifier.inspect(session)).status).toBe('SUCCESS')
  })
})

import { describe, expect, it } from 'vitest'
import {
  createTrustWorld,
  type Party,
  type TrustWorld,
} from '#conformance/world/create-trust-world.ts'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import {
  createTermsOfUseUrl,
  parseTermsOfUse,
  parseTermsOfUseUrl,
} from '#core/trust/tir-attribute.ts'
import { walkTrustChain } from '#core/trust/trust-chain.ts'

const environment = {
  environment: 'pre',
  tirBaseUrl: 'https://tir.example/trusted-issuers-registry',
} as const
const did = 'did:org:uc-pre:z1abc'
const attributeId = 'ab'.repeat(32)
const url = `https://tir.example/trusted-issuers-registry/v1/issuers/${did}/attributes/${attributeId}`

describe('parseTermsOfUseUrl', () => {
  it('reads the output of createTermsOfUseUrl (profile/tir, Read an accreditation)', () => {
    expect(
      createTermsOfUseUrl(environment.tirBaseUrl, { did, attributeId: `0x${attributeId}` }),
    ).toBe(url)
    expect(parseTermsOfUseUrl(url, environment)).toEqual({ did, attributeId })
  })

  it.each([
    url.replace('https', 'http'),
    url.replace('tir.example', 'tir.example.evil.example'),
    url.replace('tir.example', 'user@tir.example'),
    url.replace('tir.example/', 'tir.example:8443/'),
    url.replace('uc-pre', 'uc'),
    url.replace('did:org', 'did:web'),
    `${url}/`,
    `${url}?x=1`,
    `${url}#x`,
    ` ${url}`,
    `${url}\n`,
    url.replace('/v1/', '/v2/'),
    url.replace('/v1/', '//v1/'),
    url.replace('issuers/', 'issuers/../issuers/'),
    url.replace('issuers/', 'issuers/%2e%2e/'),
    url.replace(attributeId, `0x${attributeId}`),
    url.replace(attributeId, attributeId.slice(1)),
    url.replace(attributeId, `${attributeId.slice(1)}g`),
    '',
  ])('rejects %j', (text) => {
    expect(parseTermsOfUseUrl(text, environment)).toBeUndefined()
  })
})

describe('parseTermsOfUse', () => {
  it.each([undefined, null, 'text', 7, {}, { id: 7 }, [], [null]])('rejects %j', (value) => {
    expect(parseTermsOfUse(value, environment)).toBeUndefined()
  })
})

const walk = (world: TrustWorld, start: Party = world.issuer) =>
  walkTrustChain({
    ...world.policy,
    ...world.sources,
    start,
    credentialType: 'OrgPortalLearCredential',
    now: world.now,
  })

const broken = async (world: TrustWorld, start?: Party) =>
  (await walk(world, start)).failures.map(({ rule, path }) => [rule, path.split('.')[0]])

/** Replaces the accreditation in the TIR, signed by the party that the test names. */
function rewrite(
  world: TrustWorld,
  subject: Party,
  change: (payload: ReturnType<TrustWorld['accreditationOf']>) => object,
  signer: Party = world.tao,
) {
  const payload = change(
    world.accreditationOf(subject, subject === world.issuer ? world.tao : world.root),
  )
  const body = world.sign(payload, signer)
  world.attributeOf(subject).attribute.body = body
}

describe('walkTrustChain', () => {
  it('reaches the root with every hop verified', async () => {
    const world = createTrustWorld()
    const { ok, steps } = await walk(world)
    expect(ok).toBe(true)
    expect(steps.map(({ did }) => did)).toEqual([world.issuer.did, world.tao.did, world.root.did])
  })

  it('accepts a TAO or the root as issuer', async () => {
    const world = createTrustWorld()
    expect(await broken(world, world.tao)).toEqual([])
    expect(await broken(world, world.root)).toEqual([])
  })

  it('accepts the JWT in base64url as body, and identifiers with 0x', async () => {
    const world = createTrustWorld()
    for (const { attribute } of world.attributes.values()) {
      attribute.body = Buffer.from(attribute.body).toString('base64url')
      attribute.attributeIdTao = `0x${attribute.attributeIdTao?.toUpperCase()}`
    }
    expect(await broken(world)).toEqual([])
  })

  it('follows the accreditation if a registry does not name the parent (A-18)', async () => {
    const world = createTrustWorld()
    for (const { attribute } of world.attributes.values()) delete attribute.attributeIdTao
    expect(await broken(world)).toEqual([])
  })

  const cases: readonly [string, (readonly [string, string])[], (world: TrustWorld) => void][] = [
    [
      'revoked',
      [['trust.not-revoked', 'hops[0]']],
      ({ attributeOf, issuer }) => {
        attributeOf(issuer).attribute.issuerType = 'REVOKED'
      },
    ],
    [
      'another accreditation of the same DID in the answer',
      [['trust.attribute', 'hops[0]']],
      ({ attributeOf, issuer }) => {
        attributeOf(issuer).attribute.hash = 'f'.repeat(64)
      },
    ],
    [
      'parent revoked',
      [['trust.not-revoked', 'hops[1]']],
      ({ attributeOf, tao }) => {
        attributeOf(tao).attribute.issuerType = 'REVOKED'
      },
    ],
    [
      'root revoked',
      [['trust.not-revoked', 'hops[2]']],
      ({ attributeOf, root }) => {
        attributeOf(root).attribute.issuerType = 'REVOKED'
      },
    ],
    [
      'accredited by one who may only issue',
      [['trust.role', 'hops[1]']],
      ({ attributeOf, tao }) => {
        attributeOf(tao).attribute.issuerType = 'TI'
      },
    ],
    [
      'signed by the subject itself',
      [
        ['trust.signature', 'hops[0]'],
        ['trust.signature', 'hops[0]'],
      ],
      (world) =>
        rewrite(world, world.issuer, (p) => ({ ...p, iss: world.issuer.did }), world.issuer),
    ],
    [
      "the TAO's kid, another key",
      [['trust.signature', 'hops[0]']],
      (world) =>
        rewrite(world, world.issuer, (p) => p, {
          ...world.tao,
          privateKey: world.issuer.privateKey,
        }),
    ],
    [
      'a key of the TAO that is not for assertions',
      [['trust.signature', 'hops[0]']],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 5))
        const kid = `${world.tao.did}#${'k'.repeat(43)}`
        world.use(kid, privateKey, 'authentication')
        rewrite(world, world.issuer, (p) => p, { ...world.tao, kid, privateKey })
      },
    ],
    [
      'a key of the TAO that is listed without any relationship',
      [['trust.signature', 'hops[0]']],
      (world) => {
        const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 5))
        const kid = `${world.tao.did}#${'u'.repeat(43)}`
        world.use(kid, privateKey)
        rewrite(world, world.issuer, (p) => p, { ...world.tao, kid, privateKey })
      },
    ],
    [
      "the TAO's key has ended",
      [['trust.signature', 'hops[0]']],
      (world) => {
        for (const entry of world.usesOf(world.tao.did))
          if (entry.kid === world.tao.kid) entry.notAfter = world.now - 1
      },
    ],
    [
      'not about the subject',
      [
        ['trust.subject', 'hops[0]'],
        ['trust.subject', 'hops[0]'],
      ],
      (world) =>
        rewrite(world, world.issuer, (p) => ({
          ...p,
          sub: world.tao.did,
          vc: { ...p.vc, credentialSubject: { ...p.vc.credentialSubject, id: world.tao.did } },
        })),
    ],
    [
      'made for another attribute',
      [['trust.attribute-id', 'hops[0]']],
      (world) =>
        rewrite(world, world.issuer, (p) => ({
          ...p,
          vc: {
            ...p.vc,
            credentialSubject: {
              ...p.vc.credentialSubject,
              reservedAttributeId: `0x${'1'.repeat(64)}`,
            },
          },
        })),
    ],
    [
      'expired',
      [['trust.period', 'hops[0]']],
      (world) => rewrite(world, world.issuer, (p) => ({ ...p, exp: world.now })),
    ],
    [
      'with a validUntil that is not a valid timestamp',
      [['trust.period', 'hops[0]']],
      (world) =>
        rewrite(world, world.issuer, (p) => ({ ...p, vc: { ...p.vc, validUntil: '2020-01-01' } })),
    ],
    [
      'before its validFrom',
      [['trust.period', 'hops[0]']],
      (world) =>
        rewrite(world, world.issuer, (p) => ({
          ...p,
          vc: { ...p.vc, validFrom: '2099-01-01T00:00:00Z' },
        })),
    ],
    [
      'with a validFrom that is not a valid timestamp',
      [['trust.period', 'hops[0]']],
      (world) =>
        rewrite(world, world.issuer, (p) => ({ ...p, vc: { ...p.vc, validFrom: '2099-01-01' } })),
    ],
    [
      'past its validUntil',
      [['trust.period', 'hops[0]']],
      (world) =>
        rewrite(world, world.issuer, (p) => ({
          ...p,
          vc: { ...p.vc, validUntil: '2020-01-01T00:00:00Z' },
        })),
    ],
    [
      'for another type',
      [['trust.accredited-for', 'hops[0]']],
      (world) => {
        const { issuer, tao } = world
        world.publish(
          issuer,
          tao,
          'TI',
          world.sign(world.accreditationOf(issuer, tao, ['Other']), tao),
        )
      },
    ],
    [
      'wider than the parent',
      [['trust.accredited-for', 'hops[1]']],
      (world) => {
        const { tao, root } = world
        world.publish(
          tao,
          root,
          'TAO',
          world.sign(world.accreditationOf(tao, root, ['Other']), root),
        )
      },
    ],
    [
      'no accreditation in the body',
      [
        ['trust.signature', 'hops[0]'],
        ['trust.subject', 'hops[0]'],
        ['trust.attribute-id', 'hops[0]'],
        ['trust.period', 'hops[0]'],
        ['trust.accredited-for', 'hops[0]'],
      ],
      ({ attributeOf, issuer }) => {
        attributeOf(issuer).attribute.body = ''
      },
    ],
    [
      'a root that is not trusted',
      [['trust.root', '']],
      (world) => {
        world.attributeOf(world.tao).attribute.issuerType = 'RTAO'
      },
    ],
    [
      'a root that the TIR counts under another root',
      [['trust.root', '']],
      (world) => {
        world.attributeOf(world.root).attribute.rootTao = world.tao.did
      },
    ],
    [
      'a parent that is not there',
      [['trust.attribute', 'hops[1]']],
      ({ attributes, tao }) => {
        attributes.delete(`${tao.did} ${tao.attributeId}`)
      },
    ],
    [
      'the TIR answers with another attribute',
      [['trust.attribute', 'hops[0]']],
      (world) => {
        world.attributes.set(
          `${world.issuer.did} ${world.issuer.attributeId}`,
          world.attributeOf(world.tao),
        )
      },
    ],
    [
      'a parent that cannot be determined',
      [['trust.parent', 'hops[0]']],
      ({ attributeOf, issuer }) => {
        attributeOf(issuer).attribute.attributeIdTao = 'zz'
      },
    ],
    [
      'an accreditation under a different TAO from the registry',
      [['trust.parent', 'hops[0]']],
      (world) => {
        delete world.attributeOf(world.issuer).attribute.attributeIdTao
        rewrite(world, world.issuer, (p) => ({
          ...p,
          vc: { ...p.vc, termsOfUse: world.accreditationOf(world.tao, world.root).vc.termsOfUse },
        }))
      },
    ],
  ]

  it.each(cases)('rejects: %s', async (_name, expected, change) => {
    const world = createTrustWorld()
    change(world)
    expect(await broken(world)).toEqual(expected)
  })

  it('stops at a cycle', async () => {
    const world = createTrustWorld()
    const { attribute } = world.attributeOf(world.tao)
    attribute.tao = world.issuer.did
    attribute.attributeIdTao = world.issuer.attributeId
    const { failures, steps } = await walk(world)
    expect(failures.map(({ rule }) => rule)).toContain('trust.cycle')
    expect(steps).toHaveLength(2)
  })

  it.each([
    [8, []],
    [9, ['trust.length']],
  ])('evaluates a chain of %i hops', async (hops, expected) => {
    const world = createTrustWorld()
    const line = [world.root, world.tao]
    for (let index = 2; index < hops; index++) {
      const party = world.createParty(`member ${index}`)
      world.publish(party, line.at(-1) as Party, index === hops - 1 ? 'TI' : 'TAO')
      line.push(party)
    }
    const { failures } = await walk(world, line.at(-1))
    expect(failures.map(({ rule }) => rule)).toEqual(expected)
  })
})

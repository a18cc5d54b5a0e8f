import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { createDidJwk } from '#core/crypto/holder-did.ts'
import { type PrivateJwk, type PublicJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import {
  type PresentationForm,
  presentToVerifier,
  type RunningVerifier,
  resignPresentation,
  startVerifier,
  unsignedJwt,
} from '#test/support/verifier.ts'

const payloadOf = (jwt = '') =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())

/** A JWT with a MAC over it, the key being text that everybody knows. */
function macJwt(header: object, payload: object, key: string | Buffer): string {
  const input = unsignedJwt(header, payload).slice(0, -1)
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

/** What an attacker may take a public key for when a library takes it for a secret. */
function spellingsOf(jwk: PublicJwk): (string | Buffer)[] {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  return [
    String(key.export({ format: 'pem', type: 'spki' })),
    key.export({ format: 'der', type: 'spki' }),
    JSON.stringify(jwk),
    Buffer.from(jwk.x ?? '', 'base64url'),
    Buffer.concat([Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')]),
    '',
  ]
}

async function expectRules(
  change: (form: PresentationForm, verifier: RunningVerifier) => PresentationForm,
  expected: readonly string[],
) {
  const verifier = await startVerifier()
  const result = await presentToVerifier(verifier, (form) => change(form, verifier))
  expect(result.response.status).toBe(200)
  expect(result.status).toBe('FAILED')
  expect(result.rules).toEqual(expected)
}

const withCredential =
  (create: (verifier: RunningVerifier) => string) =>
  (form: PresentationForm, verifier: RunningVerifier): PresentationForm => {
    const { vp } = payloadOf(form.vp_token)
    const credential = create(verifier)
    return resignPresentation(verifier.world, form, {
      vp: { ...vp, verifiableCredential: [credential] },
    })
  }

const unknownSigner = [
  'credential.issuer',
  'credential.issuer-document',
  'credential.issuer-key',
  'credential.signature',
  'credential.status',
]

describe('a presentation with a forged signature', () => {
  it.each(['None', 'NONE', ''])('V13 alg %j', (alg) =>
    expectRules(
      (form, { world }) => ({
        ...form,
        vp_token: unsignedJwt({ alg, typ: 'JWT', kid: world.holder.kid }, payloadOf(form.vp_token)),
      }),
      ['presentation.algorithm', 'presentation.signature'],
    ),
  )

  it.each([0, 1, 2, 3, 4, 5])('V14 HS256 with the public key as secret (spelling %i)', (index) =>
    expectRules(
      (form, { world }) => ({
        ...form,
        vp_token: macJwt(
          { alg: 'HS256', typ: 'JWT', kid: world.holder.kid },
          payloadOf(form.vp_token),
          spellingsOf(publicJwkOf(world.holder.privateKey))[index] ?? '',
        ),
      }),
      ['presentation.algorithm', 'presentation.signature'],
    ),
  )

  it.each([
    ['ES256', ['presentation.algorithm', 'presentation.signature']],
    ['ES512', ['presentation.algorithm', 'presentation.signature']],
    ['RS256', ['presentation.algorithm', 'presentation.signature']],
    ['Ed25519', ['presentation.algorithm', 'presentation.signature']],
  ])('V15 alg %s over a key of secp256k1', (alg, expected) =>
    expectRules((form, { world }) => {
      const [, payload, signature] = (form.vp_token ?? '').split('.')
      const header = { alg, typ: 'JWT', kid: world.holder.kid }
      const encoded = Buffer.from(JSON.stringify(header)).toString('base64url')
      return { ...form, vp_token: `${encoded}.${payload}.${signature}` }
    }, expected),
  )

  it('V15 a key of P-256, which is no curve of the documents, in a did:jwk', () =>
    expectRules(
      (form, { world }) => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        const key = privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
        const did = createDidJwk(publicJwkOf(key))
        const payload = { ...payloadOf(form.vp_token), iss: did }
        const credential = world.issue(world.credentialPayload(did))
        return {
          ...form,
          vp_token: signJws({
            header: { alg: 'ES256', typ: 'JWT', kid: `${did}#0` },
            payload: { ...payload, vp: { ...payload.vp, verifiableCredential: [credential] } },
            privateKey: key,
          }),
        }
      },
      ['presentation.algorithm', 'presentation.signature'],
    ))

  const thief = createHolder('thief')
  const noKey = [
    'presentation.kid',
    'presentation.issuer',
    'presentation.signature',
    'credential.holder',
  ]
  it.each([
    [
      "somebody else's DID",
      thief.kid,
      ['presentation.issuer', 'presentation.signature', 'credential.holder'],
    ],
    ["the verifier's environment", 'did:org:uc-pre:z1Holder#key', noKey],
    ['a path', '../../../../etc/passwd', noKey],
    ['a DID with a path behind it', `${thief.did}/../${thief.did}#x`, noKey],
    ['a base58 number of 100 000 digits', `did:key:z${'z'.repeat(100_000)}#x`, noKey],
    [
      'a did:jwk of 100 000 characters',
      `did:jwk:${Buffer.from(`{"kty":"EC","x":"${'a'.repeat(75_000)}"}`).toString('base64url')}#0`,
      noKey,
    ],
    [
      'a did:jwk with the private key in it',
      `did:jwk:${Buffer.from(JSON.stringify(thief.privateKey)).toString('base64url')}#0`,
      noKey,
    ],
    ['a list', [thief.kid], noKey],
    ['null', null, noKey],
  ] as [string, unknown, string[]][])('kid pointing elsewhere: %s', (_name, kid, expected) =>
    expectRules((form, { world }) => resignPresentation(world, form, {}, { kid }), expected),
  )
})

describe('a credential with a forged signature', () => {
  it.each([0, 1, 2, 3, 4, 5])('V14 HS256 with the public key as secret (spelling %i)', (index) =>
    expectRules(
      withCredential(({ world }) =>
        macJwt(
          { alg: 'HS256', typ: 'JWT', kid: world.issuer.kid },
          world.credentialPayload(),
          spellingsOf(publicJwkOf(world.issuer.privateKey))[index] ?? '',
        ),
      ),
      ['credential.algorithm', 'credential.signature'],
    ),
  )

  it.each(['ES256', 'EdDSA'])('V15 alg %s over a key of secp256k1', (alg) =>
    expectRules(
      withCredential(({ world }) => {
        const [, payload, signature] = world.issue().split('.')
        const header = { alg, typ: 'JWT', kid: world.issuer.kid }
        return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${signature}`
      }),
      ['credential.signature'],
    ),
  )

  it("V20 a key in the header, that it is signed with (jwk), beside the issuer's kid", () =>
    expectRules(
      withCredential(({ world }) => {
        const stranger = createHolder('stranger')
        return world.sign(
          world.credentialPayload(),
          { kid: world.issuer.kid, privateKey: stranger.privateKey },
          { jwk: publicJwkOf(stranger.privateKey) },
        )
      }),
      ['credential.signature'],
    ))

  it('kid pointing elsewhere: the key of another registered DID', () =>
    expectRules(
      withCredential(({ world }) => world.sign(world.credentialPayload(), world.tao)),
      ['credential.issuer', 'credential.status'],
    ))

  it.each([
    ['the DID of a wallet', createHolder('issuer').kid],
    ['a path behind the DID', 'did:org:uc-pre:z1Issuer/../../x#k'],
    ['a query', 'did:org:uc-pre:z1Issuer?valid-at=0#k'],
    ['the other environment', 'did:org:uc:z1Issuer#k'],
    ['a million characters', `did:org:uc-pre:z${'1'.repeat(100_000)}#k`],
    ['an object', { toString: 'x' }],
    ['nothing', undefined],
  ] as [string, unknown][])('kid pointing elsewhere: %s', (_name, kid) =>
    expectRules(
      withCredential(({ world }) => world.issue(world.credentialPayload(), { kid })),
      unknownSigner,
    ),
  )
})

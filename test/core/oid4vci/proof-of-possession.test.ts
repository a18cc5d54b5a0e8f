import { createJWT, ES256KSigner } from 'did-jwt'
import { importJWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createHolderDid, type HolderDidMethod } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import {
  checkedProofRules,
  createProofOfPossession,
  type VerifyProofOfPossessionOptions,
  verifyProofOfPossession,
} from '#core/oid4vci/proof-of-possession.ts'

const now = 1_800_000_000
const credentialIssuer = 'https://issuer.example'
const cNonce = { value: 'nonce-1', expiresAt: now + 100 }

function createHolder(
  curve: 'secp256k1' | 'Ed25519' = 'secp256k1',
  method: HolderDidMethod = 'key',
) {
  const privateKey = createPrivateJwk(curve, Buffer.alloc(32, 7))
  return { privateKey, ...createHolderDid({ method, publicKey: publicJwkOf(privateKey) }) }
}

const holder = createHolder()
const goodHeader = { alg: 'ES256K', typ: 'openid4vci-proof+jwt', kid: holder.kid } as const
const goodPayload = { iss: holder.did, aud: credentialIssuer, iat: now, nonce: 'nonce-1' }

const proofWith = (header: object, payload: object = {}) =>
  signJws({
    header: { ...goodHeader, ...header },
    payload: { ...goodPayload, ...payload },
    privateKey: holder.privateKey,
  })

/** A proof whose header is changed after signing, for algorithms that nothing here signs. */
const proofWithForeignHeader = (header: object) => {
  const [, payload, signature] = proofWith({}).split('.')
  const changed = Buffer.from(JSON.stringify({ ...goodHeader, ...header })).toString('base64url')
  return `${changed}.${payload}.${signature}`
}

function brokenRules(jwt: string, options: Partial<VerifyProofOfPossessionOptions> = {}): string[] {
  const result = verifyProofOfPossession({ jwt, credentialIssuer, cNonce, now, ...options })
  return result.ok ? [] : result.failures.map(({ rule }) => rule)
}

// @row 1.resources-and-their-fields/proof-of-possession-jwt.1..2
describe('proof of possession', () => {
  it.each([
    ['secp256k1', 'key'],
    ['secp256k1', 'jwk'],
    ['Ed25519', 'key'],
    ['Ed25519', 'jwk'],
  ] as const)('with %s and did:%s proves its holder', (curve, method) => {
    const { privateKey, did, kid } = createHolder(curve, method)
    const jwt = createProofOfPossession({
      privateKey,
      holderDid: did,
      kid,
      credentialIssuer,
      cNonce: 'nonce-1',
      now,
    })
    expect(verifyProofOfPossession({ jwt, credentialIssuer, cNonce, now })).toEqual({
      ok: true,
      holder: { did, kid, publicKey: publicJwkOf(privateKey) },
    })
  })

  it('has the header and payload of the profile and nothing else', () => {
    const jwt = createProofOfPossession({
      privateKey: holder.privateKey,
      holderDid: holder.did,
      kid: holder.kid,
      credentialIssuer,
      cNonce: 'nonce-1',
      now,
    })
    const [header, payload] = jwt
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toEqual(goodHeader)
    expect(payload).toEqual(goodPayload)
  })

  it('created by did-jwt or jose is accepted', async () => {
    const theirs = await createJWT(
      { aud: credentialIssuer, iat: now, nonce: 'nonce-1' },
      {
        issuer: holder.did,
        signer: ES256KSigner(Buffer.from(holder.privateKey.d, 'base64url')),
      },
      { alg: 'ES256K', typ: 'openid4vci-proof+jwt' as 'JWT', kid: holder.kid },
    )
    expect(brokenRules(theirs)).toEqual([])

    const ed = createHolder('Ed25519', 'jwk')
    const joses = await new SignJWT({ nonce: 'nonce-1' })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'openid4vci-proof+jwt', kid: ed.kid })
      .setIssuer(ed.did)
      .setAudience(credentialIssuer)
      .setIssuedAt(now)
      .sign(await importJWK(ed.privateKey as never, 'EdDSA'))
    expect(brokenRules(joses)).toEqual([])
  })

  it('may have times with a fraction, exp, nbf, sub and unrelated headers', () => {
    const payload = { iat: now - 0.5, exp: now + 0.5, nbf: now - 1.5, sub: holder.did }
    expect(brokenRules(proofWith({ jku: 'https://evil.example', x: 1 }, payload))).toEqual([])
    expect(brokenRules(proofWith({ jwk: publicJwkOf(holder.privateKey) }))).toEqual([])
  })

  const other = createHolder('Ed25519')
  const ed25519Kid = other.kid
  // test/wallet-emulator/faults breaks each rule by a fault; here is what no fault shows.
  it.each([
    ['proof.kid', proofWith({ kid: 7 })],
    ['proof.aud', proofWith({}, { aud: [] })],
    ['proof.aud', proofWith({}, { aud: ['https://other.example'] })],
    ['proof.aud', proofWith({}, { aud: [credentialIssuer, 'https://other.example'] })],
    ['proof.aud', proofWith({}, { aud: ['https://other.example', credentialIssuer] })],
    ['proof.aud', proofWith({}, { aud: [[credentialIssuer]] })],
    ['proof.aud', proofWith({}, { aud: `${credentialIssuer}/` })],
    ['proof.iat', proofWith({}, { iat: String(now) })],
    ['proof.iat', proofWith({}, { iat: now - 301 })],
    ['proof.iat', proofWith({}, { iat: now + 61 })],
    ['proof.exp', proofWith({}, { exp: now })],
    ['proof.exp', proofWith({}, { exp: 'later' })],
    ['proof.nbf', proofWith({}, { nbf: now + 61 })],
    ['proof.signature', proofWith({}).replace(/\.[^.]{4}([^.]*)$/, '.AAAA$1')],
  ])('breaks only %s', (rule, jwt) => {
    expect(brokenRules(jwt)).toEqual([rule])
  })

  it.each([
    ['an unsupported method', 'did:web:example.com#0', ['proof.did-method', 'proof.iss']],
    ['a malformed did:key', 'did:key:zzzz#zzzz', ['proof.key', 'proof.iss']],
    ["another curve's key", ed25519Kid, ['proof.curve', 'proof.iss']],
    [
      "another holder's key",
      createHolderDid({
        method: 'key',
        publicKey: publicJwkOf(createPrivateJwk('secp256k1', Buffer.alloc(32, 8))),
      }).kid,
      ['proof.iss', 'proof.signature'],
    ],
  ])('with the kid of %s', (_, kid, rules) => {
    expect(brokenRules(proofWith({ kid }))).toEqual(rules)
  })

  it.each(['HS256', 'ES256', 'RS256'])('rejects the algorithm %s', (alg) => {
    expect(brokenRules(proofWithForeignHeader({ alg }))).toEqual(['proof.alg'])
  })

  it('rejects an expired c_nonce, and any if the session has none', () => {
    const expired = { value: 'nonce-1', expiresAt: now }
    expect(brokenRules(proofWith({}), { cNonce: expired })).toEqual(['proof.nonce'])
    expect(brokenRules(proofWith({}), { cNonce: undefined })).toEqual(['proof.nonce'])
  })

  it('accepts both ends of the window for iat', () => {
    expect(brokenRules(proofWith({}, { iat: now - 300 }))).toEqual([])
    expect(brokenRules(proofWith({}, { iat: now + 60 }))).toEqual([])
  })

  it('reports all broken rules together, and a proof that is not a JWT', () => {
    const jwt = proofWith({ typ: 'JWT' }, { aud: 'x', iat: 0, nonce: 'x' })
    expect(brokenRules(jwt)).toEqual(['proof.typ', 'proof.aud', 'proof.iat', 'proof.nonce'])
    expect(brokenRules('a.b')).toEqual(['proof.format'])
    expect(brokenRules('')).toEqual(['proof.format'])
  })

  it.each([[['https://other.example']], [[credentialIssuer, 'https://other.example']]])(
    'shows the audience that it found: %j',
    (aud) => {
      const jwt = proofWith({}, { aud })
      const result = verifyProofOfPossession({ jwt, credentialIssuer, cNonce, now })
      expect(result).toMatchObject({ failures: [{ rule: 'proof.aud', got: aud }] })
    },
  )
})

describe('checkedProofRules', () => {
  const checkedOn = (jwt: string) => {
    const result = verifyProofOfPossession({ jwt, credentialIssuer, cNonce, now })
    return checkedProofRules(result.ok ? [] : result.failures)
  }

  it('lists every rule and says which are broken', () => {
    const checked = checkedOn(proofWith({}, { aud: 'another', nonce: 'another' }))
    const broken = checked.filter(({ passed }) => !passed).map(({ rule }) => rule)
    expect(broken).toEqual(['proof.aud', 'proof.nonce'])
    const fixed = checked.filter(({ fix }) => fix !== undefined).map(({ rule }) => rule)
    expect(fixed).toEqual(broken)
    expect(checkedOn(proofWith({})).filter(({ passed }) => passed)).toHaveLength(checked.length)
    expect(new Set(checked.map(({ statement }) => statement)).size).toBe(checked.length)
  })

  it('omits the other rules if there is no JWT to check', () => {
    expect(checkedOn('a.b').map(({ rule, passed }) => [rule, passed])).toEqual([
      ['proof.format', false],
    ])
  })
})

import { createHash, generateKeyPairSync } from 'node:crypto'
import { compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type OperatorKey,
  readOperatorKey,
  readPublicKey,
} from '#conformance/kit/evidence/operator-key.ts'
import { type SignedResult, signResult } from '#conformance/kit/evidence/signed-result.ts'
import {
  createSignedResultKind,
  type VerifySignedResultOptions,
  verifySignedResult,
} from '#conformance/kit/evidence/verify-signed-result.ts'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { createDidKey } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, type PublicJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import { explain } from '#core/explanation/explain.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import {
  createConformanceResults,
  createMixedChecks,
  createResults,
} from '#test/support/results.ts'

const now = Date.parse('2026-11-21T10:05:00Z') / 1000
const results = createConformanceResults({
  scenarios: createMixedChecks(),
  conformance: { commit: 'e50ca8d' },
})
const bytesOf = (value: Results) => Buffer.from(`${JSON.stringify(value)}\n`)
const resultsJson = bytesOf(results)

const ed25519 = createPrivateJwk('Ed25519', Buffer.alloc(32, 7))
const secp256k1 = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const key = readOperatorKey(JSON.stringify(ed25519))
const jws = signResult({ resultsJson, key, now })

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

/** A result with a different header or payload, signed by the same key. */
function forge(change: { header?: object; payload?: object }, by: OperatorKey = key): string {
  const [header, payload] = jws.split('.')
  return signJws({
    header: { ...decode(header), alg: by.algorithm, ...change.header },
    payload: { ...decode(payload), ...change.payload },
    privateKey: by.privateKey,
  })
}

async function verify(compact: string, options: Partial<VerifySignedResultOptions> = {}) {
  const { ok, failures, checked } = await verifySignedResult({
    jws: compact,
    now,
    resultsJson,
    ...options,
  })
  const of = (isUnchecked: boolean) =>
    failures
      .filter(({ unchecked }) => (unchecked !== undefined) === isUnchecked)
      .map(({ rule }) => rule.replace('signed-result.', ''))
  return { ok, broken: of(false), unchecked: of(true), rules: checked.length }
}

const good = { ok: true, broken: [], unchecked: [] }

describe('signResult', () => {
  it('contains plan, target, kit, counts, each verdict, and its signer', () => {
    const [header, payload] = jws.split('.')
    expect(decode(header)).toEqual({
      alg: 'EdDSA',
      typ: 'conformance-result+jwt',
      kid: key.kid,
    })
    expect(decode(payload)).toMatchObject({
      iss: createDidKey(ed25519),
      iat: now,
      plan: 'verifier',
      target: { name: 'Acme verifier', addresses: { verifier: 'https://verifier.example' } },
      kit: { version: '0.7.0', commit: 'e50ca8d' },
      strict: false,
      interrupted: false,
      counts: { passed: 1, failed: 1, warned: 1, inconclusive: 1, skipped: 1 },
      results_sha256: createHash('sha256').update(resultsJson).digest('hex'),
    } satisfies Partial<SignedResult>)
    expect(decode(payload).checks.slice(0, 3)).toEqual([
      {
        id: 'V01',
        level: 'spec',
        verdict: 'failed',
        reason: 'The presentation was accepted: HTTP 200',
      },
      { id: 'V02', level: 'practice', verdict: 'warned', reason: 'The verifier answers after 9 s' },
      {
        id: 'V03',
        level: 'spec',
        verdict: 'inconclusive',
        reason: 'The target has no clock: add the verb set-clock',
      },
    ])
  })

  it('signs only the results of a plan', () => {
    const others = bytesOf(createResults())
    expect(() => signResult({ resultsJson: others, key, now })).toThrow(TypeError)
  })

  it.each([
    ['Ed25519', JSON.stringify(ed25519)],
    ['P-256', p256.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('is verified by a third-party implementation: %s', async (_, text) => {
    const operator = readOperatorKey(text)
    const signed = signResult({ resultsJson, key: operator, now })
    const verified = await compactVerify(signed, publicJwkOf(operator.privateKey) as never)
    expect(JSON.parse(new TextDecoder().decode(verified.payload)).plan).toBe('verifier')
  })
})

describe('readOperatorKey', () => {
  it.each([
    ['JWK of secp256k1', JSON.stringify(secp256k1), 'ES256K', /^did:key:zQ3s/],
    ['JWK of Ed25519', JSON.stringify(ed25519), 'EdDSA', /^did:key:z6Mk/],
    [
      'PEM of P-256',
      p256.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'ES256',
      /^did:jwk:.*#0$/,
    ],
  ] as const)('reads a %s and creates a valid signature', async (_, text, algorithm, kid) => {
    const operator = readOperatorKey(text)
    expect(operator.algorithm).toBe(algorithm)
    expect(operator.kid).toMatch(kid)
    expect(operator.kid.startsWith(`${operator.issuer}#`)).toBe(true)
    expect(await verify(signResult({ resultsJson, key: operator, now }))).toMatchObject(good)
  })

  it('uses the key id that the operator specifies', () => {
    const kid = 'did:org:uc-pre:z1#key-1'
    expect(readOperatorKey(JSON.stringify(ed25519), kid)).toMatchObject({
      kid,
      issuer: 'did:org:uc-pre:z1',
    })
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
  it.each([
    ['nothing', ''],
    ['JSON that is not a key', '{"d":"c2VjcmV0"}'],
    ['a public JWK', JSON.stringify(publicJwkOf(ed25519))],
    ['a secret of HMAC', '{"kty":"oct","k":"c2VjcmV0"}'],
    ['RSA', rsa.export(pkcs8).toString()],
    ['P-384', p384.export(pkcs8).toString()],
    [
      'PEM with a passphrase',
      rsa.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
    ],
    [
      'a JWK whose public members are of another key',
      JSON.stringify({ ...createPrivateJwk('secp256k1', Buffer.alloc(32, 8)), d: secp256k1.d }),
    ],
  ])('rejects %s and does not repeat it', (_, text) => {
    const read = () => readOperatorKey(text)
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    expect(read).not.toThrow(/c2VjcmV0|BEGIN/)
  })
})

describe('readPublicKey', () => {
  it('reads a JWK and PEM, and rejects private keys', () => {
    const publicPem = generateKeyPairSync('ed25519').publicKey.export({
      type: 'spki',
      format: 'pem',
    })
    expect(readPublicKey(publicPem.toString(), 'key.pem')).toMatchObject({
      kty: 'OKP',
      crv: 'Ed25519',
    })
    expect(readPublicKey(JSON.stringify(publicJwkOf(secp256k1)), '-')).toEqual(
      publicJwkOf(secp256k1),
    )
    const refused = expect.objectContaining({ code: 'invalid_option' })
    const privatePem = p256.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const text of [JSON.stringify(ed25519), privatePem, '{', 'x']) {
      expect(() => readPublicKey(text, 'key.pem')).toThrow(refused)
    }
    for (const text of [JSON.stringify(ed25519), privatePem]) {
      expect(() => readPublicKey(text, 'key.pem')).toThrow('key.pem contains a private key.')
    }
  })
})

describe('verifySignedResult', () => {
  it('passes every rule for an unchanged result', async () => {
    expect(await verify(jws)).toEqual({ ...good, rules: 12 })
    expect(await verify(jws, { publicKey: publicJwkOf(ed25519) })).toMatchObject(good)
  })

  it('is valid without results.json, and says that the file is missing', async () => {
    expect(await verify(jws, { resultsJson: undefined })).toMatchObject({
      ok: true,
      broken: [],
      unchecked: ['digest', 'verdicts'],
    })
  })

  const other = readOperatorKey(JSON.stringify(createPrivateJwk('Ed25519', Buffer.alloc(32, 9))))
  const passed = { ...decode(jws.split('.')[1]).checks[0], verdict: 'passed' }
  const [, ...otherChecks] = decode(jws.split('.')[1]).checks
  it.each<[string, string, string[]]>([
    ['no JWS', 'a.b', ['format']],
    ['a different typ', forge({ header: { typ: 'JWT' } }), ['typ']],
    ['a missing typ', forge({ header: { typ: undefined } }), ['typ']],
    ['a signature by a different key', forge({}, other), ['signature']],
    ['a kid of a different key', forge({ header: { kid: other.kid } }), ['signature', 'iss']],
    [
      'an issuer who does not own the key',
      forge({ payload: { iss: 'did:org:uc-pre:z1' } }),
      ['iss'],
    ],
    ['a kid that does not resolve', forge({ header: { kid: 'did:key:z6Mk#x' } }), ['key', 'iss']],
    ['no kid', forge({ header: { kid: undefined } }), ['key']],
    ['a time in the future', forge({ payload: { iat: now + 120 } }), ['iat']],
    ['a time before the run', forge({ payload: { iat: now - 3600 } }), ['iat']],
    [
      'different counts',
      forge({
        payload: { counts: { passed: 5, failed: 0, warned: 0, inconclusive: 0, skipped: 0 } },
      }),
      ['counts', 'verdicts'],
    ],
    [
      'a different verdict',
      forge({ payload: { checks: [passed, ...otherChecks] } }),
      ['counts', 'verdicts'],
    ],
    [
      'a different target',
      forge({ payload: { target: { name: 'Other', addresses: {} } } }),
      ['verdicts'],
    ],
    ['a missing plan', forge({ payload: { plan: undefined } }), ['payload', 'verdicts']],
    ['a different digest', forge({ payload: { results_sha256: '0'.repeat(64) } }), ['digest']],
  ])('names what is wrong: %s', async (_, compact, broken) => {
    expect(await verify(compact)).toMatchObject({ ok: false, broken })
  })

  it('rejects every other algorithm', async () => {
    const [header, payload, signature] = jws.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const alg of ['none', 'HS256', 'RS256', 'ES384', 'eddsa']) {
      const compact = `${encode({ ...decode(header), alg })}.${payload}.${alg === 'none' ? '' : signature}`
      const { ok, broken } = await verify(compact)
      expect([alg, ok, broken]).toEqual([alg, false, ['alg', 'curve', 'signature']])
    }
  })

  it('compares it with the given key, regardless of the key that it names', async () => {
    const publicKey = publicJwkOf(other.privateKey)
    expect(await verify(jws, { publicKey })).toMatchObject({ ok: false, broken: ['key'] })
    const own = readOperatorKey(JSON.stringify(ed25519), 'our key of 2026')
    const named = signResult({ resultsJson, key: own, now })
    expect(await verify(named, { publicKey })).toMatchObject({ ok: false, broken: ['signature'] })
    expect(await verify(named, { publicKey: publicJwkOf(ed25519) })).toMatchObject(good)
  })

  it('requires a key for any other kid, and passes no signature rule without one', async () => {
    const kid = 'did:org:uc-pre:z1#key-1'
    const signed = signResult({
      resultsJson,
      key: readOperatorKey(JSON.stringify(ed25519), kid),
      now,
    })
    const asked: string[] = []
    const resolveKey = async (name: string): Promise<{ ok: true; value: PublicJwk }> => {
      asked.push(name)
      return { ok: true, value: publicJwkOf(ed25519) }
    }
    expect(await verify(signed, { resolveKey })).toMatchObject(good)
    expect(asked).toEqual([kid])
    expect(await verify(signed)).toMatchObject({
      ok: false,
      broken: [],
      unchecked: ['key', 'curve', 'signature'],
    })
    const lookups = { unavailable: [], 'not-found': ['key'] } as const
    for (const [kind, broken] of Object.entries(lookups)) {
      const failed = { ok: false, kind: kind as keyof typeof lookups, reason: 'x' } as const
      expect(await verify(signed, { resolveKey: async () => failed })).toMatchObject({
        ok: false,
        broken,
      })
    }
  })

  it.each<[string, Uint8Array, string[]]>([
    ['an additional byte', Buffer.concat([resultsJson, Buffer.from(' ')]), ['digest']],
    [
      'a changed verdict',
      bytesOf({
        ...results,
        scenarios: results.scenarios.map((each) => ({ ...each, verdict: 'passed' })),
      }),
      ['digest', 'verdicts'],
    ],
    ['something else', Buffer.from('{'), ['digest', 'verdicts']],
    ['scenarios, which are not a plan', bytesOf(createResults()), ['digest', 'verdicts']],
  ])('rejects a results.json with %s', async (_, bytes, broken) => {
    expect(await verify(jws, { resultsJson: bytes })).toMatchObject({ ok: false, broken })
  })

  it('rejects a key in the header', async () => {
    const header = { kid: undefined, jwk: publicJwkOf(other.privateKey) }
    expect(await verify(forge({ header }, other))).toMatchObject({ ok: false, broken: ['key'] })
  })
})

describe('a signed result, explained', () => {
  const now = Date.parse('2026-11-21T10:05:00Z') / 1000
  const resultsJson = Buffer.from(
    JSON.stringify(createConformanceResults({ scenarios: createMixedChecks() })),
  )
  const world = createTrustWorld({
    now,
    tirBaseUrl: 'http://tir.example',
    credentialIssuerUrl: 'http://issuer.example',
  })
  const { issuer } = world
  const kid = issuer.kid
  const key = readOperatorKey(JSON.stringify(issuer.privateKey), kid)
  const jws = signResult({ resultsJson, key, now })

  const explainWith = (against: Parameters<typeof createSignedResultKind>[0], isAsked = true) =>
    explain(jws, {
      now,
      furtherKinds: [createSignedResultKind(against)],
      ...(isAsked && { trust: { pre: { resolveDidDocument: world.sources.resolveDidDocument } } }),
    })

  it('is valid if signed by the key of its did:org in the DID registry', async () => {
    const { kind, verdict, facts } = await explainWith({ resultsJson })
    expect([kind, verdict]).toEqual(['signed-conformance-result', 'holds'])
    const value = (label: string) => facts.find((fact) => fact.label === label)?.value
    expect(value('Target')).toBe('Acme verifier')
    expect(value('Result')).toBe('1 FAIL, 1 WARN, 1 INCONCLUSIVE, 1 PASS, 1 not finished')
    expect(value('Failed')).toBe('V01')
    expect(value('By')).toBe(issuer.did)
  })

  it('is not checked without a registry, and fails with a key of another organization', async () => {
    expect((await explainWith({ resultsJson }, false)).verdict).toBe('not-checked')
    const publicKey = publicJwkOf(world.root.privateKey)
    expect((await explainWith({ resultsJson, publicKey })).verdict).toBe('broken')
  })

  it('rejects a key that the DID document has for purposes other than assertions', async () => {
    const resolveDidDocument: typeof world.sources.resolveDidDocument = async (did) => {
      const found = await world.sources.resolveDidDocument(did)
      return found.ok ? { ...found, value: { ...found.value, assertionMethod: [] } } : found
    }
    const { rules } = await explain(jws, {
      now,
      furtherKinds: [createSignedResultKind({ resultsJson })],
      trust: { pre: { resolveDidDocument } },
    })
    const broken = rules.filter(({ verdict }) => verdict === 'broken').map(({ rule }) => rule)
    expect(broken).toEqual(['signed-result.key'])
  })

  it('is checked only in part without its results.json', async () => {
    const { verdict, rules } = await explainWith({})
    expect(verdict).toBe('not-checked')
    expect(rules.filter((rule) => rule.verdict !== 'held').map(({ rule }) => rule)).toEqual([
      'signed-result.digest',
      'signed-result.verdicts',
    ])
  })

  it('is recognized only by its typ', async () => {
    const { kind } = await explain(world.issue(), {
      now,
      furtherKinds: [createSignedResultKind({ resultsJson })],
    })
    expect(kind).not.toBe('signed-conformance-result')
  })
})

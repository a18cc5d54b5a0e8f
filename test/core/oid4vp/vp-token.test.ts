import { describe, expect, it } from 'vitest'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { signJws } from '#core/crypto/jws.ts'
import {
  createPresentationSubmission,
  verifyPresentationSubmission,
} from '#core/oid4vp/presentation-submission.ts'
import { createVpToken, parseVpToken, verifyVpToken, vpTokenRules } from '#core/oid4vp/vp-token.ts'
import { verifyWithForeignLibrary } from '#test/support/foreign-verifiers.ts'

const now = Math.floor(Date.now() / 1000)
const audience = 'did:org:uc-pre:z1Verifier'
const nonce = 'n-0S6_WzA2Mj'
const credential = 'eyJhbGciOiJFUzI1NksifQ.e30.AA'

const present = (holder = createHolder()) =>
  createVpToken({
    ...holder,
    holderDid: holder.did,
    audience,
    nonce,
    credentials: [credential],
    now,
  })

const decode = (jwt: string, part: number) =>
  JSON.parse(Buffer.from(jwt.split('.')[part] ?? '', 'base64url').toString())

async function verify(vpToken: string) {
  const jws = parseVpToken(vpToken)
  if (!jws) throw new Error('no presentation')
  return verifyVpToken({ jws, audience, nonce, now })
}

const holders = [
  ['secp256k1', 'key'],
  ['secp256k1', 'jwk'],
  ['Ed25519', 'key'],
  ['Ed25519', 'jwk'],
] as const

// @row 1.resources-and-their-fields/presentation-token.1..2 1.resources-and-their-fields/supported-curves.1..2
describe('a presentation', () => {
  it.each(holders)('of %s and did:%s has the form of the document', async (curve, method) => {
    const holder = createHolder('holder', curve, method)
    const vpToken = present(holder)
    const alg = curve === 'Ed25519' ? 'EdDSA' : 'ES256K'
    expect(decode(vpToken, 0)).toEqual({ alg, typ: 'JWT', kid: holder.kid })
    expect(decode(vpToken, 1)).toEqual({
      iss: holder.did,
      aud: audience,
      nonce,
      iat: now,
      exp: now + 300,
      vp: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        verifiableCredential: [credential],
      },
    })
    const result = await verify(vpToken)
    expect(result.failures).toEqual([])
    expect(result).toMatchObject({ ok: true, holderDid: holder.did, credentials: [credential] })
    expect(result.checked.map(({ rule }) => rule)).toEqual(vpTokenRules.map(({ rule }) => rule))
    const foreign = await verifyWithForeignLibrary(vpToken, audience)
    expect(foreign?.payload.nonce).toBe(nonce)
  })

  const holder = createHolder()
  const thief = createHolder('thief')
  const payload = decode(present(holder), 1)
  const sign = (members: object, header: object = {}, by = holder) =>
    signJws({
      header: { alg: 'ES256K', typ: 'JWT', kid: by.kid, ...header },
      payload: { ...payload, ...members },
      privateKey: by.privateKey,
    })
  const vpWith = (members: object) => sign({ vp: { ...payload.vp, ...members } })
  const unsigned = (header: object, signature: string) =>
    `${encode({ typ: 'JWT', kid: holder.kid, ...header })}.${encode(payload)}.${signature}`

  it('may name its audience as the only element of an array', async () => {
    expect((await verify(sign({ aud: [audience] }))).failures).toEqual([])
  })

  // The faults of the wallet emulator break the other rules, each by name, at our verifier.
  it.each([
    ['an empty aud', () => sign({ aud: [] }), ['presentation.audience']],
    ['aud in two arrays', () => sign({ aud: [[audience]] }), ['presentation.audience']],
    ['V09 expired', () => sign({ exp: now }), ['presentation.expiry']],
    ['a lifetime above 15 minutes', () => sign({ exp: now + 901 }), ['presentation.expiry']],
    ['V10 iat in the future', () => sign({ iat: now + 61 }), ['presentation.issued-at']],
    ['V10 iat as a string', () => sign({ iat: String(now) }), ['presentation.issued-at']],
    ['V10 iat long past', () => sign({ iat: now - 1000, exp: now + 1 }), ['presentation.expiry']],
    ['nbf in the future', () => sign({ nbf: now + 61 }), ['presentation.not-before']],
    [
      'V15 EdDSA with a key of secp256k1',
      () => unsigned({ alg: 'EdDSA' }, present(holder).split('.')[2] ?? ''),
      ['presentation.signature'],
    ],
    [
      'kid of another method',
      () => sign({ iss: 'did:web:x' }, { kid: 'did:web:x#1' }),
      ['presentation.kid', 'presentation.signature'],
    ],
    [
      'kid without fragment',
      () => sign({}, { kid: holder.did }),
      ['presentation.kid', 'presentation.signature'],
    ],
    [
      'a key in the header',
      () => sign({}, { kid: thief.kid, jwk: decode(present(holder), 0), jku: 'http://x' }),
      ['presentation.issuer', 'presentation.signature'],
    ],
    [
      'a credential that is not a JWT',
      () => vpWith({ verifiableCredential: [{}] }),
      ['presentation.credentials'],
    ],
    [
      'no vp',
      () => sign({ vp: undefined }),
      ['presentation.context', 'presentation.type', 'presentation.credentials'],
    ],
  ] as const)('is rejected: %s', async (_name, create, expected) => {
    const result = await verify(create())
    expect(result.ok).toBe(false)
    expect(result.failures.map(({ rule }) => rule)).toEqual(expected)
  })

  it.each([
    undefined,
    '',
    'text',
    'a.b',
    'a.b.c.d',
    `${encode({ alg: 'ES256K' })}.${Buffer.from(`{"vp":${'['.repeat(100_000)}${']'.repeat(100_000)}}`).toString('base64url')}.AA`,
  ])('is not parsed from malformed input (%#)', (text) => {
    expect(parseVpToken(text)).toBeUndefined()
  })
})

// @row 1.resources-and-their-fields/presentation-submission.1
describe('presentation_submission', () => {
  const submission = createPresentationSubmission({ id: 'x', queryId: 'lear' })
  const [descriptor] = submission.descriptor_map
  const rules = async (presentationSubmission: string | undefined) =>
    verifyPresentationSubmission({ presentationSubmission, queryId: 'lear' }).failures.map(
      ({ rule, path }) => `${rule} ${path}`.trim(),
    )

  it('has the form of the document', async () => {
    expect(submission).toEqual({
      id: 'x',
      definition_id: 'dcql_query',
      descriptor_map: [
        {
          id: 'lear',
          format: 'jwt_vp',
          path: '$',
          path_nested: { id: 'lear', format: 'jwt_vc', path: '$.vp.verifiableCredential[0]' },
        },
      ],
    })
    expect(await rules(JSON.stringify(submission))).toEqual([])
  })

  const nested = (members: object) => ({
    ...submission,
    descriptor_map: [{ ...descriptor, path_nested: { ...descriptor?.path_nested, ...members } }],
  })
  it.each([
    ['no id', { ...submission, id: undefined }, 'submission.format id'],
    [
      'another definition',
      { ...submission, definition_id: 'x' },
      'submission.definition-id definition_id',
    ],
    ['no map', { ...submission, descriptor_map: [] }, 'submission.descriptor-map descriptor_map'],
    [
      'two elements',
      { ...submission, descriptor_map: [descriptor, descriptor] },
      'submission.descriptor-map descriptor_map',
    ],
    [
      'another id',
      { ...submission, descriptor_map: [{ ...descriptor, id: 'x' }] },
      'submission.descriptor-map descriptor_map.0.id',
    ],
    [
      'another format',
      { ...submission, descriptor_map: [{ ...descriptor, format: 'jwt_vc' }] },
      'submission.descriptor-map descriptor_map.0.format',
    ],
    [
      'another path',
      { ...submission, descriptor_map: [{ ...descriptor, path: '$.vp' }] },
      'submission.descriptor-map descriptor_map.0.path',
    ],
    [
      'another nested id',
      nested({ id: 'x' }),
      'submission.descriptor-map descriptor_map.0.path_nested.id',
    ],
    [
      'another nested format',
      nested({ format: 'jwt_vp' }),
      'submission.descriptor-map descriptor_map.0.path_nested.format',
    ],
    [
      'another nested path',
      nested({ path: '$.vp.verifiableCredential[1]' }),
      'submission.descriptor-map descriptor_map.0.path_nested.path',
    ],
    [
      'deeper nesting',
      nested({ path_nested: {} }),
      'submission.descriptor-map descriptor_map.0.path_nested.path_nested',
    ],
  ])('is rejected with %s (V19)', async (_name, value, expected) => {
    expect(await rules(JSON.stringify(value))).toEqual([expected])
  })

  it.each([
    undefined,
    '',
    '{',
    '[]',
    '"x"',
    '{"id":"a","id":"b"}',
    `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  ])('is rejected if it is not an object (%#)', async (text) => {
    expect((await rules(text))[0]).toBe('submission.format')
  })
})

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

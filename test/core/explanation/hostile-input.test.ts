import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { explain } from '#core/explanation/explain.ts'
import { trustOf } from '#test/support/explanations.ts'

const world = createTrustWorld()
const options = { now: world.now, trust: trustOf(world) ?? {} }
const verdicts = ['holds', 'broken', 'not-checked', 'unrecognised']

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Names that the kinds look for, so that what is generated is taken for a message. */
const names = fc.constantFrom(
  ...['vc', 'vp', 'typ', 'kid', 'alg', 'iss', 'sub', 'aud', 'iat', 'exp', 'nonce', 'type'],
  ...['credentialSubject', 'accreditedFor', 'reservedAttributeId', 'encodedList', 'attribute'],
  ...['credential_issuer', 'credentials', 'grants', 'credential_endpoint', 'dcql_query', 'body'],
  ...['response_type', 'verificationMethod', 'id', 'did', 'hash', 'vp_token', 'proof', 'jwt'],
  ...['presentation_submission', 'credential', 'didDocument', 'publicKeyJwk', '__proto__'],
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('did:org:uc-pre:z1a', 'did:x', 'JWT', 'ES256K', world.issuer.kid, 'a.b.c'),
    fc.string(),
    fc.double(),
    fc.constantFrom(null, true, [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  ),
}))
const object = fc.dictionary(names, value, { maxKeys: 6 })
const jwt = fc.tuple(object, object, fc.base64String()).map(([header, payload, signature]) => {
  const typ = encode({ alg: 'ES256K', kid: world.issuer.kid, ...header })
  return `${typ}.${encode(payload)}.${signature.replace(/=+$/, '')}`
})

describe('whatever comes', () => {
  it.each([
    ['text', fc.string({ unit: 'binary' })],
    ['JSON', object],
    ['a JWT', jwt],
    ['a JWT in JSON', fc.record({ vp_token: jwt, credential: jwt, proof: fc.record({ jwt }) })],
    ['a link', fc.webQueryParameters().map((query) => `openid4vp://?${query}`)],
    [
      'an offer',
      object.map((o) => `openid-credential-offer://?credential_offer=${JSON.stringify(o)}`),
    ],
    ['a form', jwt.map((token) => `vp_token=${token}&presentation_submission=%7B`)],
  ] as const)('is explained without an error: %s', async (_name, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(arbitrary as fc.Arbitrary<unknown>, async (input) => {
        const { verdict, rules } = await explain(input, options)
        expect(verdicts).toContain(verdict)
        expect(verdict === 'unrecognised').toBe(rules.length === 0)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['nesting', '['.repeat(100_000)],
    [
      'nesting in a JWT',
      `${encode({ alg: 'x' })}.${Buffer.from(`{"vc":${'['.repeat(50_000)}${']'.repeat(50_000)}}`).toString('base64url')}.AA`,
    ],
    ['a name that stands twice', '{"vp_token":"a","vp_token":"b"}'],
    ['bytes that are no text', '\ud800\udfff\u0000'],
    ['undefined', undefined],
    ['a number', 7],
  ])('is told to be none: %s', async (_name, input) => {
    expect((await explain(input, options)).verdict).toBe('unrecognised')
  })
})

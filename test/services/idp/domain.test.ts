import { describe, expect, it } from 'vitest'
import { zIdpConfig } from '#services/idp/config.ts'
import { findRedirectUriProblem } from '#services/idp/domain/client.ts'
import { failureReason, subjectOf } from '#services/idp/domain/login.ts'
import { mapClaims, parseMapper, parseMappers } from '#services/idp/domain/mappers.ts'
import { createIdpConfig } from '#test/support/login-system.ts'

const credential = (organizationIdentifier: unknown, employeeId: unknown) => ({
  credentialSubject: {
    mandate: { mandator: { organizationIdentifier }, mandatee: { employeeId } },
  },
})

describe('parseMapper', () => {
  it('parses the example of the specification', () => {
    const text =
      'organization_identifier = credentialSubject.mandate.mandator.organizationIdentifier'
    expect(parseMapper(text)).toEqual({
      ok: true,
      mapper: {
        claim: 'organization_identifier',
        paths: [['credentialSubject', 'mandate', 'mandator', 'organizationIdentifier']],
      },
    })
  })

  it.each([
    '',
    'a',
    'a =',
    '= b',
    'a = b..c',
    'a = .b',
    'a = b c',
    'sub = x',
    'iss = x',
    'a = b +',
    ...Object.getOwnPropertyNames(Object.prototype).map((name) => `${name} = b`),
    '_claim_sources = b',
    'a b = c',
    'a = b = c',
  ])('rejects %j', (text) => {
    expect(parseMapper(text).ok).toBe(false)
    const config = createIdpConfig('http://idp.example', 'http://verifier.example')
    const scopeMappers = { email: [text] }
    expect(zIdpConfig.safeParse({ ...config, scopeMappers }).success).toBe(false)
  })
})

it.each(['constructor', 'toString'])('the configuration rejects mappers of a scope %s', (scope) => {
  const config = createIdpConfig('http://idp.example', 'http://verifier.example')
  const scopeMappers = { [scope]: ['a = b'] }
  expect(zIdpConfig.safeParse({ ...config, scopeMappers }).success).toBe(false)
})

describe('mapClaims', () => {
  const value = { a: { b: 'text', n: 7, yes: true, list: [{ x: 1 }], none: null }, c: 'more' }
  it.each([
    ['k = a.b', { k: 'text' }],
    ['k = a.n', { k: 7 }],
    ['k = a.yes', { k: true }],
    ['k = a.list', { k: '[{"x":1}]' }],
    ['k = a.list.0.x', { k: 1 }],
    ['k = a', { k: JSON.stringify(value.a) }],
    ['k = a.b + c', { k: 'text more' }],
    ['k = a.b + nothing', { k: 'text' }],
    ['k = nothing', {}],
    ['k = a.none', {}],
    ['k = constructor.name', {}],
    ['k = __proto__', {}],
  ])('%s', (text, expected) => {
    expect(mapClaims(parseMappers(text).mappers, value)).toEqual(expected)
  })
})

describe('subjectOf', () => {
  it('is base64url of SHA-256 over both identifiers with a line break between (A-42)', () => {
    // printf 'VATES-A12345678\nEMP-1' | openssl dgst -sha256 -binary | basenc --base64url
    expect(subjectOf(credential('VATES-A12345678', 'EMP-1'))).toBe(
      '7GkYfL9Pex7sX75M1u3BBK2n_q_e2Cpp0984tJh_pV4',
    )
  })

  it.each([
    credential(undefined, 'EMP-1'),
    credential('VATES-A12345678', undefined),
    credential('', 'EMP-1'),
    credential(7, 'EMP-1'),
    // Otherwise two people would have the same subject.
    credential('A\nB', 'C'),
    credential('A', 'B\nC'),
    {},
    null,
    undefined,
  ])('is undefined for %j', (value) => {
    expect(subjectOf(value)).toBeUndefined()
  })
})

describe('failureReason', () => {
  it.each([
    [['credential.expiry'], [], 'expired'],
    [['credential.status'], [], 'revoked'],
    [['credential.status'], ['status-list'], 'service-unavailable'],
    [['credential.signature', 'trust.not-revoked'], [], 'invalid-signature'],
    [['trust.not-revoked'], [], 'issuer-not-accredited'],
    [['credential.terms-of-use'], [], 'issuer-not-accredited'],
    [['credential.type-chain', 'credential.type'], [], 'wrong-type'],
    [['credential.power'], [], 'incomplete'],
    [['account.subject'], [], 'incomplete'],
    [['credential.holder'], [], 'wrong-holder'],
    [['presentation.nonce', 'credential.expiry'], [], 'invalid-presentation'],
    [['submission.format'], [], 'invalid-presentation'],
    [[], [], 'invalid-presentation'],
  ])('%j with %j silent is %s', (rules, unavailable, expected) => {
    const broken = rules.map((rule) => ({ rule }))
    expect(failureReason({ broken, unavailable })).toBe(expected)
  })
})

const linesOf = (text: string) => parseMappers(text).problems.map(({ line }) => line)

describe('parseMappers', () => {
  it.each([
    ['a = b\nc = d', ['a', 'c']],
    ['a = b\r\nc = d\r\n', ['a', 'c']],
    ['\n\n  a = b  \n\n', ['a']],
    ['', []],
  ])('reads %j', (text, claims) => {
    const { mappers, problems } = parseMappers(text)
    expect(problems).toEqual([])
    expect(mappers.map(({ claim }) => claim)).toEqual(claims)
  })

  it('reports the line of each problem, counting empty lines, and parses the other lines', () => {
    const parsed = parseMappers('\nwrong\na = b\n\nsub = c\na = d')
    expect(parsed.problems.map(({ line }) => line)).toEqual([2, 5, 6])
    expect(parsed.mappers.map(({ claim }) => claim)).toEqual(['a'])
  })

  it('limits the size of its input', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `c${n} = a`).join('\n')
    expect(linesOf(many(200))).toEqual([])
    expect(linesOf(many(201))).toEqual([201])
  })
})

describe('redirectUriProblem', () => {
  it.each([
    'https://shop.example/callback',
    'https://shop.example',
    'https://shop.example/callback?tenant=a%20b',
    'https://shop.example:8443/a/b',
    'http://127.0.0.1:9/callback',
    'http://localhost/callback',
    'http://[::1]:3000/callback',
  ])('accepts %s', (uri) => {
    expect(findRedirectUriProblem(uri, false)).toBeUndefined()
  })

  it('accepts plain http to other machines only if it is allowed', () => {
    expect(findRedirectUriProblem('http://token-issuer:4010/x', true)).toBeUndefined()
    expect(findRedirectUriProblem('http://token-issuer:4010/x', false)).toEqual(expect.any(String))
    expect(findRedirectUriProblem('http://127.0.0.1.evil.example/x', false)).toEqual(
      expect.any(String),
    )
    expect(findRedirectUriProblem('http://localhost.evil.example/x', false)).toEqual(
      expect.any(String),
    )
  })

  it.each([
    '',
    'callback',
    '/callback',
    '//evil.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://callback',
    'urn:ietf:wg:oauth:2.0:oob',
    'https://*.shop.example/callback',
    'https://shop.example/*',
    'https://shop.example/callback#fragment',
    'https://shop.example/callback#',
    'https://user@shop.example/callback',
    'https://shop.example@evil.example/callback',
    'https://shop.example/a/../b',
    'https://shop.example/%2e%2e/b',
    'https://SHOP.example/callback',
    'https://shop.example:443/callback',
    'https:shop.example/callback',
    'https://shop.example\\evil.example/callback',
    'https://shöp.example/callback',
    'https://shop.example/a b',
    'https://shop.example/\tb',
    'https://0x7f.1/callback',
    'https://shop.example/a b',
    `https://shop.example/${'x'.repeat(2000)}`,
  ])('rejects %j', (uri) => {
    expect(findRedirectUriProblem(uri, true)).toEqual(expect.any(String))
  })
})

import { describe, expect, it } from 'vitest'
import { redirectUriProblem } from '#services/idp/domain/client.ts'

describe('redirectUriProblem', () => {
  it.each([
    'https://shop.example/callback',
    'https://shop.example',
    'https://shop.example/callback?tenant=a%20b',
    'https://shop.example:8443/a/b',
    'http://127.0.0.1:9/callback',
    'http://localhost/callback',
    'http://[::1]:3000/callback',
  ])('takes %s', (uri) => {
    expect(redirectUriProblem(uri, false)).toBeUndefined()
  })

  it('takes plain http beyond this machine only where it is allowed', () => {
    expect(redirectUriProblem('http://token-issuer:4010/x', true)).toBeUndefined()
    expect(redirectUriProblem('http://token-issuer:4010/x', false)).toEqual(expect.any(String))
    expect(redirectUriProblem('http://127.0.0.1.evil.example/x', false)).toEqual(expect.any(String))
    expect(redirectUriProblem('http://localhost.evil.example/x', false)).toEqual(expect.any(String))
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
  ])('refuses %j', (uri) => {
    expect(redirectUriProblem(uri, true)).toEqual(expect.any(String))
  })
})

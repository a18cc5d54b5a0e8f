import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCookieKeys } from '#kit/openid-provider/cookie-keys.ts'

const newest = 'the newest secret of 32 characters'
const older = 'an older secret of 32 characters.'
const keys = createCookieKeys([newest, older])

describe('the keys of the cookies', () => {
  it('sign as keygrip does: HMAC-SHA-1 in base64url, with the newest key', () => {
    const expected = createHmac('sha1', newest).update('name=value').digest('base64')
    expect(keys.sign('name=value').replaceAll('-', '+').replaceAll('_', '/')).toBe(
      expected.replaceAll('=', ''),
    )
  })

  it('verify signatures of older keys, and report which key signed', () => {
    const signature = createCookieKeys([older]).sign('name=value')
    expect(keys.verify('name=value', signature)).toBe(true)
    expect(keys.index('name=value', signature)).toBe(1)
    expect(keys.index('name=value', keys.sign('name=value'))).toBe(0)
  })

  it.each([
    ['another value', 'name=other', (signature: string) => signature],
    ['a changed character', 'name=value', (signature: string) => `${signature.slice(0, -1)}!`],
    ['a missing character', 'name=value', (signature: string) => signature.slice(0, -1)],
    ['nothing', 'name=value', () => ''],
  ])('reject a signature of %s', (_name, data, change) => {
    const signature = change(keys.sign('name=value'))
    expect(keys.verify(data, signature)).toBe(false)
    expect(keys.index(data, signature)).toBe(-1)
  })
})

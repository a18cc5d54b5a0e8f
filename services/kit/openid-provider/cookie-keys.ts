import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Configuration } from 'oidc-provider'

type CookieKeys = Exclude<
  NonNullable<NonNullable<Configuration['cookies']>['keys']>,
  readonly unknown[]
>

/**
 * Signs and verifies cookies as the package keygrip does with its default algorithm, so that
 * cookies stay valid. keygrip imports the key and makes three digests for each comparison.
 * @param keys secrets, newest first: it signs, all verify
 */
export function createCookieKeys(keys: readonly string[]): CookieKeys {
  const imported = keys.map((key) => createSecretKey(key, 'utf8'))
  const signWith = (data: string, key: (typeof imported)[number]) =>
    createHmac('sha1', key).update(data).digest('base64url')
  const index = (data: string, signature: string) => {
    const given = Buffer.from(signature)
    return imported.findIndex((key) => {
      const expected = Buffer.from(signWith(data, key))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  }
  const [newest] = imported
  if (newest === undefined) throw new TypeError('cookies need at least one key')
  return {
    sign: (data) => signWith(data, newest),
    verify: (data, signature) => index(data, signature) !== -1,
    index,
  }
}

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** Cost of one derivation: 32 MiB and some 50 ms, bearable at a login and dear to a guesser. */
const cost = { N: 2 ** 15, r: 8, p: 1 } as const

const longestPassword = 1024

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limits = { ...options, maxmem: 64 * 1024 * 1024 }
    scrypt(password.normalize('NFKC'), salt, 32, limits, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

/** Hash of a password for safekeeping: `scrypt$N$r$p$salt$key`, salt and key as base64url. */
export async function createPasswordHash(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')]
  return `scrypt$${parts.join('$')}`
}

const pattern = /^scrypt\$(\d{4,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,88})\$([\w-]{43})$/

/** True for text that {@link verifyPassword} can compare with. */
export const isPasswordHash = (text: string): boolean => pattern.test(text)

/**
 * Compares a password with its hash. Without a hash (nobody has that name) it takes as long as with
 * one, and is false.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const match = hash === undefined ? null : pattern.exec(hash)
  const fits = password.length <= longestPassword
  const given = fits ? password : ''
  if (match === null) {
    await derive(given, randomBytes(16), cost)
    return false
  }
  const [, N, r, p, salt = '', key = ''] = match
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(given, Buffer.from(salt, 'base64url'), options)
  return timingSafeEqual(derived, Buffer.from(key, 'base64url')) && fits
}

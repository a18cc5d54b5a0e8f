import crypto, {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Compares two secrets in a time that does not depend on the position or length of a difference.
 */
export function secretsEqual(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected))
}

const sha256 = (text: string) => crypto.hash('sha256', text, 'buffer')

/**
 * Creates a secret or identifier that cannot be guessed: base64url of `bytes` random bytes.
 * @assumption A-36 at least 128 random bits for codes, tokens and nonces
 */
export function randomToken(bytes = 32): string {
  if (bytes < 16) throw new TypeError('A token needs at least 16 bytes of randomness.')
  return randomBytes(bytes).toString('base64url')
}

/** Digest that is stored to recognize a value later, such as a one-time secret or a large text. */
export function digest(value: string): string {
  return crypto.hash('sha256', value, 'base64url')
}

// AES-256-GCM.
const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

const keyOf = (secret: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'lear-testbed seal', 32))

/**
 * Encrypts a string so that only the holder of the secret can decrypt it. The secret is a code or
 * token of at least 128 random bits; the database stores only its digest.
 */
export function seal(text: string, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/** Decrypts the result of `seal`; undefined if another secret sealed it. */
export function unseal(sealed: string, secret: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv(algorithm, keyOf(secret), bytes.subarray(0, nonceBytes))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/**
 * Cost of one derivation: 32 MiB and about 50 ms, acceptable at a login and expensive for an
 * attacker.
 */
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

/** Hashes a password for storage: `scrypt$N$r$p$salt$key`, with salt and key as base64url. */
export async function createPasswordHash(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')]
  return `scrypt$${parts.join('$')}`
}

const pattern = /^scrypt\$(\d{4,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,88})\$([\w-]{43})$/

/** True for a string that {@link verifyPassword} accepts as hash. */
export const isPasswordHash = (text: string): boolean => pattern.test(text)

/**
 * Compares a password with its hash. Without a hash (unknown name) it returns false, and takes as
 * long as with one.
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

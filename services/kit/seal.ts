import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// AES-256-GCM.
const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

const keyOf = (secret: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'lear-testbed seal', 32))

/**
 * Encrypts a text so that only whoever presents the secret can have it read again: a code or token
 * of at least 128 random bits, of which the database keeps the digest alone.
 */
export function seal(text: string, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/** The text of `seal`; undefined if another secret sealed it. */
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

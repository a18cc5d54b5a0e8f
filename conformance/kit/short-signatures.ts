import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'

const { BASE, Fn } = secp256k1.Point

const numberIn = (text = '') => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)

/** A signer for ES256K. */
export type SignText = (input: string, privateKey: PrivateJwk) => Uint8Array

/** Twelve zero bits: one of 4096 signatures has them, so that a usual one rarely does. */
const shortest = 1n << 244n

/**
 * Creates a signature whose r begins with a zero byte, as one of 256 has it. If a system writes r as
 * a number without padding, it rejects one of 256 valid messages. For one signature only.
 */
export async function findShortR(): Promise<SignText> {
  let k = Fn.fromBytes(secp256k1.utils.randomSecretKey())
  let point = BASE.multiply(k)
  while (point.x >= shortest) {
    k = Fn.add(k, 1n)
    point = point.add(BASE)
    // The servers of the kit must answer meanwhile.
    if (k % 32n === 0n) await setImmediate()
  }
  const r = point.x
  return (input, key) => {
    const hash = createHash('sha256').update(input).digest('base64url')
    const s = Fn.mul(Fn.inv(k), Fn.create(numberIn(hash) + r * numberIn(key.d)))
    const numbers = [r, s < Fn.ORDER / 2n ? s : Fn.ORDER - s]
    return Buffer.from(numbers.map((each) => each.toString(16).padStart(64, '0')).join(''), 'hex')
  }
}

/** Signs a JWT that way. */
export const signJwtWith =
  (sign: SignText) => (header: object, payload: object, privateKey: PrivateJwk) => {
    const input = [header, payload].map((part) => encodeBase64url(JSON.stringify(part))).join('.')
    return `${input}.${encodeBase64url(sign(input, privateKey))}`
  }

import { createHash, generateKeyPairSync } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import type { PrivateJwk } from '#core/crypto/jwk.ts'

const { Fn } = secp256k1.Point

const numberIn = (text = '') => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)

/** A signer for ES256K. */
export type SignText = (input: string, privateKey: PrivateJwk) => Uint8Array

/**
 * Creates a signature whose r begins with a zero byte, as one of 256 has it. If a system writes r as
 * a number without padding, it rejects one of 256 valid messages. For one signature only.
 */
export async function findShortR(): Promise<SignText> {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const { d, x = '' } = privateKey.export({ format: 'jwk' })
    const [k, r] = [numberIn(d), numberIn(x)]
    if (Buffer.from(x, 'base64url')[0] === 0) {
      return (input, key) => {
        const hash = createHash('sha256').update(input).digest('base64url')
        const s = Fn.mul(Fn.inv(k), Fn.create(numberIn(hash) + r * numberIn(key.d)))
        const numbers = [r, s < Fn.ORDER / 2n ? s : Fn.ORDER - s]
        return Buffer.from(
          numbers.map((each) => each.toString(16).padStart(64, '0')).join(''),
          'hex',
        )
      }
    }
    // The servers of the kit must answer meanwhile.
    await setImmediate()
  }
}

/** Signs a JWT that way. */
export const signJwtWith =
  (sign: SignText) => (header: object, payload: object, privateKey: PrivateJwk) => {
    const input = [header, payload].map((part) => encodeBase64url(JSON.stringify(part))).join('.')
    return `${input}.${encodeBase64url(sign(input, privateKey))}`
  }

import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { PrivateJwk } from '#core/crypto/jwk.ts'

type Bytes = Uint8Array

const der = (tag: number, ...parts: readonly Bytes[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: readonly Bytes[]) => der(0x30, ...parts)

/** The signature algorithms of certificates (RFC 3279, RFC 5758, RFC 8410), by key type. */
const algorithms: Readonly<Record<string, Bytes>> = {
  ec: sequence(hex('06082a8648ce3d040302')),
  ed25519: sequence(hex('06032b6570')),
  rsa: sequence(hex('06092a864886f70d01010b'), hex('0500')),
}

/** Creates a self-signed certificate of a key, as an element of x5c (RFC 7515, 4.1.6). */
export function createCertificate(key: KeyObject): string {
  const { asymmetricKeyType: type = '' } = key
  const algorithm = algorithms[type] ?? sequence()
  const name = sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from('kit')))))
  const times = ['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const content = sequence(
    hex('a003020102'), // version 3
    hex('020101'),
    algorithm,
    name,
    sequence(...times),
    name,
    publicKey,
  )
  const signature = sign(type === 'ed25519' ? null : 'sha256', content, key)
  return sequence(content, algorithm, der(0x03, Buffer.of(0), signature)).toString('base64')
}

export const certificateOfJwk = (jwk: PrivateJwk): string =>
  createCertificate(createPrivateKey({ key: { ...jwk }, format: 'jwk' }))

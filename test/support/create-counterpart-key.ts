import { createECDH, randomBytes } from 'node:crypto'

/** A secp256k1 key and the DID document with it, without code of the testbed. */
export function createCounterpartKey(did: string, kid: string) {
  const key = createECDH('secp256k1')
  // Not its getPrivateKey(): that drops leading zeros.
  const secret = randomBytes(32)
  key.setPrivateKey(secret)
  const point = key.getPublicKey()
  const publicKeyJwk = {
    kty: 'EC',
    crv: 'secp256k1',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const document = {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    controller: [`0x${'0'.repeat(40)}`],
    verificationMethod: [{ id: kid, type: 'JsonWebKey2020', controller: did, publicKeyJwk }],
  }
  return { secret, document }
}

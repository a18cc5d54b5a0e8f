import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeBase64url, encodeBase64url } from '#core/crypto/base64url.ts'

/** Changes the bytes of a credential's signature. */
function changeSignature(change: (signature: Uint8Array) => Uint8Array) {
  return (credential: string): string => {
    const [header, payload, encoded = ''] = credential.split('.')
    const signature = change(decodeBase64url(encoded) ?? new Uint8Array())
    return [header, payload, encodeBase64url(signature)].join('.')
  }
}

/** One bit of it is another one. */
export const flipBit = changeSignature((signature) =>
  signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
)

/** The last byte is missing. */
export const cutLastByte = changeSignature((signature) => signature.subarray(0, -1))

/** Signed in ASN.1 DER, as OpenSSL writes it, instead of r and s side by side. */
export const encodeAsDer = changeSignature((signature) =>
  secp256k1.Signature.fromBytes(signature).toBytes('der'),
)

/** The other of the two signatures that verify: s in the upper half of the order. */
export const raiseS = changeSignature((signature) => {
  const { r, s } = secp256k1.Signature.fromBytes(signature)
  return new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes()
})

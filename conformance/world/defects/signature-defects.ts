import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeBase64url, encodeBase64url } from '#core/crypto/base64url.ts'
import { createSigningInput } from '#core/crypto/jws.ts'
import { createMac, macForgeries } from '../../kit/signatures.ts'
import {
  type Defect,
  leaveUnsigned,
  type SignDraft,
  signWithPublicKeyAsSecret,
  signWithStrangeKey,
} from './defect.ts'

/** Changes the bytes of a credential's signature. */
function changeSignature(change: (signature: Uint8Array) => Uint8Array) {
  return (credential: string): string => {
    const [header, payload, encoded = ''] = credential.split('.')
    const signature = change(decodeBase64url(encoded) ?? new Uint8Array())
    return [header, payload, encodeBase64url(signature)].join('.')
  }
}

export const flipBit = changeSignature((signature) =>
  signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
)

/** Removes the last byte. */
const cutLastByte = changeSignature((signature) => signature.subarray(0, -1))

/** Encodes it in ASN.1 DER, as OpenSSL does, instead of r and s side by side. */
const encodeAsDer = changeSignature((signature) =>
  secp256k1.Signature.fromBytes(signature).toBytes('der'),
)

/** No real signature, to follow the name of the token. */
export const emptySignatures: Readonly<Record<string, (jwt: string) => string>> = {
  'has an empty signature': changeSignature(() => new Uint8Array()),
  'has a signature of zeros': changeSignature(() => new Uint8Array(64)),
}

/** Signatures that are not 64 bytes of r and s, to follow the name of the token. */
export const otherEncodings: Readonly<Record<string, (jwt: string) => string>> = {
  'lacks the last byte of its signature': cutLastByte,
  'has one more byte in its signature': changeSignature((signature) => Buffer.of(...signature, 0)),
  ...emptySignatures,
  'has a signature in ASN.1 DER': encodeAsDer,
}

/** The other of the two valid signatures: s in the upper half of the order. */
export const raiseS = changeSignature((signature) => {
  const { r, s } = secp256k1.Signature.fromBytes(signature)
  return new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes()
})

/** Who signed, and with which key (profile/credential, Rules 6). */
export const signatureDefects: readonly Defect[] = [
  {
    name: 'bad-signature',
    description: 'One bit of the signature is flipped.',
    rule: 'credential.signature',
    afterwards: flipBit,
  },
  {
    name: 'signature-too-short',
    description: 'The last byte of the signature is missing.',
    rule: 'credential.signature',
    afterwards: cutLastByte,
  },
  {
    name: 'signature-der',
    description: 'The signature is in ASN.1 DER instead of r and s side by side.',
    rule: 'credential.signature',
    afterwards: encodeAsDer,
  },
  {
    name: 'signed-by-strange-key',
    description: "It is signed by a different key under the issuer's kid.",
    rule: 'credential.signature',
    sign: signWithStrangeKey,
  },
  {
    name: 'alg-none',
    description: 'It is not signed: alg has the value none.',
    rule: 'credential.algorithm',
    entails: ['credential.signature'],
    sign: leaveUnsigned,
  },
  {
    name: 'alg-hs256',
    description: "It has an HMAC with the issuer's public key as the secret.",
    rule: 'credential.algorithm',
    entails: ['credential.signature'],
    sign: signWithPublicKeyAsSecret,
  },
  {
    name: 'wrong-kid',
    description: "kid names a key that is not in the issuer's DID document.",
    rule: 'credential.issuer-key',
    entails: ['credential.signature'],
    change: ({ issuer }) => ({ header: { kid: `${issuer.did}#${'A'.repeat(43)}` } }),
  },
  {
    name: 'kid-of-another-method',
    description: 'kid is a did:web, a method that this environment does not support.',
    rule: 'credential.issuer',
    entails: ['credential.issuer-document', 'credential.issuer-key', 'credential.signature'],
    change: () => ({ header: { kid: 'did:web:issuer.example#key-1' } }),
  },
  {
    name: 'issuer-mismatch',
    description: 'vc.issuer and iss are different DIDs.',
    rule: 'credential.issuer',
    change: ({ tao }) => ({ vc: { issuer: tao.did } }),
  },
  {
    name: 'issuer-unknown',
    description: 'It is issued by a DID of this environment that is not registered.',
    rule: 'credential.issuer-document',
    entails: ['credential.issuer-key', 'credential.signature', 'trust.attribute'],
    change: ({ unknownDid, tirBaseUrl }) => ({
      header: { kid: `${unknownDid}#${'A'.repeat(43)}` },
      claims: { iss: unknownDid },
      vc: {
        issuer: unknownDid,
        termsOfUse: {
          id: `${tirBaseUrl}/v1/issuers/${unknownDid}/attributes/${'ab'.repeat(32)}`,
          type: 'TrustedIssuersRegistryEntry',
        },
      },
    }),
  },
  {
    name: 'key-not-for-assertions',
    description: "The issuer's key is registered, but not under assertionMethod.",
    rule: 'credential.issuer-key',
    issuer: 'key-not-for-assertions',
  },
  {
    name: 'key-revoked-before-issuance',
    description: "The issuer's key was revoked before the credential was signed.",
    rule: 'credential.issuer-key',
    entails: ['credential.signature'],
    issuer: 'key-revoked',
  },
  {
    name: 'high-s-signature',
    description: 'Valid: s is in the upper half, which JOSE allows.',
    afterwards: raiseS,
  },
]

type Forgeries = Readonly<Record<string, SignDraft>>

/** No signature, to follow the name of the token: `it` `is not signed: …`. */
export const unsignedForms: Forgeries = {
  ...Object.fromEntries(
    ['None', 'NONE', 'nOnE'].map((alg): [string, SignDraft] => [
      `is not signed: alg is ${alg}`,
      (header, payload) => `${createSigningInput({ ...header, alg }, payload)}.`,
    ]),
  ),
  // Some libraries accept alg none if they get no key.
  'is not signed, and its kid is unknown': (header, payload, privateKey) => {
    const kid = header.kid?.replace(/#.*/, `#${'A'.repeat(43)}`) ?? ''
    return leaveUnsigned({ ...header, kid }, payload, privateKey)
  },
}

/** A MAC with a secret that anyone knows, as text like `unsignedForms`. */
export const macForms: Forgeries = Object.fromEntries(
  macForgeries.map((forgery): [string, SignDraft] => [
    `has a MAC (${forgery.alg}) with ${forgery.secret}`,
    (header, payload, privateKey) => {
      const input = createSigningInput({ ...header, alg: forgery.alg }, payload)
      return `${input}.${encodeBase64url(createMac(forgery, input, privateKey))}`
    },
  ]),
)

/** Each form of a token that its issuer did not sign, as text like `unsignedForms`. */
export const forgedForms: Forgeries = { ...unsignedForms, ...macForms }

import { cutLastByte, encodeAsDer, flipBit, raiseS } from './change-signature.ts'
import type { Defect } from './defect.ts'
import { leaveUnsigned, signWithPublicKeyAsSecret, signWithStrangeKey } from './sign-draft.ts'

/** Who signed, and with what (Document 1, Credential schema rules 6). */
export const signatureDefects: readonly Defect[] = [
  {
    name: 'bad-signature',
    description: 'One bit of the signature is another one.',
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
    description: "It is signed by another key under the issuer's kid.",
    rule: 'credential.signature',
    sign: signWithStrangeKey,
  },
  {
    name: 'alg-none',
    description: 'It is not signed: alg is none.',
    rule: 'credential.algorithm',
    entails: ['credential.signature'],
    sign: leaveUnsigned,
  },
  {
    name: 'alg-hs256',
    description: "It carries an HMAC with the issuer's public key for a secret.",
    rule: 'credential.algorithm',
    entails: ['credential.signature'],
    sign: signWithPublicKeyAsSecret,
  },
  {
    name: 'wrong-kid',
    description: "kid names no key of the issuer's DID document.",
    rule: 'credential.issuer-key',
    entails: ['credential.signature'],
    change: ({ issuer }) => ({ header: { kid: `${issuer.did}#${'A'.repeat(43)}` } }),
  },
  {
    name: 'kid-of-another-method',
    description: 'kid is a did:web, of which this environment knows nothing.',
    rule: 'credential.issuer',
    entails: ['credential.issuer-document', 'credential.issuer-key', 'credential.signature'],
    change: () => ({ header: { kid: 'did:web:issuer.example#key-1' } }),
  },
  {
    name: 'issuer-mismatch',
    description: 'vc.issuer is another DID than iss.',
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
    description: 'Nothing is wrong: s is in the upper half, which JOSE allows.',
    afterwards: raiseS,
  },
]

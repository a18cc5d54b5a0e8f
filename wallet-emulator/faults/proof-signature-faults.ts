import { generateKeyPairSync } from 'node:crypto'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { invalidProof } from './proof-outcomes.ts'
import {
  addOrderToS,
  breakSignature,
  encodeAsDer,
  nameOtherAlgorithm,
  type Signer,
  signAs,
  signByHmac,
  signByOther,
  signNothing,
  useHighS,
} from './signature-changes.ts'
import type { WalletFault } from './wallet-fault.ts'

function createP256Holder(): Signer {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = privateKey.export({ format: 'jwk' }) as PrivateJwk
  const holder = createHolderDid({ method: 'jwk', publicKey: publicJwkOf(jwk) })
  return { ...holder, algorithm: 'ES256', privateKey: jwk }
}

/** Deviations of the algorithm and the signature of the proof of possession. */
export const proofSignatureFaults: readonly WalletFault[] = [
  {
    name: 'proof-bad-signature',
    description: 'One bit of the signature of the proof of possession is wrong.',
    expected: invalidProof('proof.signature'),
    apply: { proof: breakSignature },
  },
  {
    name: 'proof-other-key',
    description: "Another holder's key signs the proof of possession in the name of the holder.",
    expected: invalidProof('proof.signature'),
    apply: { proof: signByOther },
  },
  {
    name: 'proof-der-signature',
    description: 'The signature of the proof is in ASN.1, the form of OpenSSL.',
    algorithms: ['ES256K'],
    expected: invalidProof('proof.signature'),
    apply: { proof: encodeAsDer },
  },
  {
    name: 'proof-order-added',
    description: 'S of the signature of the proof is larger than the order of the curve.',
    algorithms: ['EdDSA'],
    expected: invalidProof('proof.signature'),
    apply: { proof: addOrderToS },
  },
  {
    name: 'proof-high-s',
    description: 'The signature of the proof uses the high one of the two valid values of s.',
    algorithms: ['ES256K'],
    expected: {
      at: 'nowhere',
      because: 'RFC 8812 allows both values; half of the signatures of OpenSSL are high',
    },
    apply: { proof: useHighS },
  },
  {
    name: 'proof-alg-none',
    description: 'The proof of possession is not signed and has alg none.',
    expected: invalidProof('proof.alg'),
    apply: { proof: signNothing },
  },
  {
    name: 'proof-hs256',
    description: 'The proof of possession has a MAC with the public key as the secret.',
    expected: invalidProof('proof.alg'),
    apply: { proof: signByHmac },
  },
  {
    name: 'proof-curve-mismatch',
    description: 'The header of the proof names the algorithm of the other curve.',
    expected: invalidProof('proof.curve'),
    apply: { proof: nameOtherAlgorithm },
  },
  {
    name: 'proof-es256',
    description:
      'The proof is signed by a P-256 key with ES256, which the issuer does not declare.',
    expected: invalidProof('proof.alg'),
    apply: { proof: signAs(createP256Holder) },
  },
]

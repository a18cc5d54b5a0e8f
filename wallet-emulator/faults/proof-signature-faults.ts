import { generateKeyPairSync } from 'node:crypto'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { invalidProof, proofJwt } from './proof-outcomes.ts'
import { type Signer, signAs } from './sign-as.ts'
import {
  addOrderToS,
  breakSignature,
  encodeAsDer,
  nameOtherAlgorithm,
  signByHmac,
  signByOther,
  signNothing,
  useHighS,
} from './signature-changes.ts'
import type { WalletFault } from './wallet-fault.ts'

const algorithmRule = `${proofJwt}: alg is ES256K or EdDSA`
const signedByKid = `${proofJwt}: signed with the key of kid`

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
    check: 'I26',
    rule: signedByKid,
    expected: invalidProof('proof.signature'),
    apply: { proof: breakSignature },
  },
  {
    name: 'proof-other-key',
    description: "Somebody else's key signs the proof of possession in the holder's name.",
    check: 'I26',
    rule: signedByKid,
    expected: invalidProof('proof.signature'),
    apply: { proof: signByOther },
  },
  {
    name: 'proof-der-signature',
    description: 'The signature of the proof is in ASN.1, as OpenSSL makes it.',
    check: 'I26',
    rule: 'RFC 7518, 3.4 and RFC 8812, 3.2: r and s, 32 bytes each',
    algorithms: ['ES256K'],
    expected: invalidProof('proof.signature'),
    apply: { proof: encodeAsDer },
  },
  {
    name: 'proof-order-added',
    description: 'S of the signature of the proof is larger than the order of the curve.',
    check: 'I26',
    rule: 'RFC 8032, 5.1.7: S out of range makes the signature invalid',
    algorithms: ['EdDSA'],
    expected: invalidProof('proof.signature'),
    apply: { proof: addOrderToS },
  },
  {
    name: 'proof-high-s',
    description: 'Of the two numbers s that verify, the signature of the proof has the high one.',
    check: 'I26',
    rule: 'RFC 8812, 3.2: any s below the order; low s alone is a habit of Ethereum (EIP-2)',
    algorithms: ['ES256K'],
    expected: {
      at: 'nowhere',
      because: 'RFC 8812 takes either; half of what OpenSSL signs is high',
    },
    apply: { proof: useHighS },
  },
  {
    name: 'proof-alg-none',
    description: 'The proof of possession is not signed, and its header says so.',
    check: 'I28',
    rule: `${algorithmRule}; OpenID4VCI, jwt Proof Type: it must not be none`,
    expected: invalidProof('proof.alg'),
    apply: { proof: signNothing },
  },
  {
    name: 'proof-hs256',
    description: 'The proof of possession has a MAC with the public key for its secret.',
    check: 'I29',
    rule: algorithmRule,
    expected: invalidProof('proof.alg'),
    apply: { proof: signByHmac },
  },
  {
    name: 'proof-curve-mismatch',
    description: 'The header of the proof names the algorithm of the other curve.',
    check: 'I30',
    rule: 'Document 1, Supported curves: ES256K with secp256k1, EdDSA with Ed25519',
    expected: invalidProof('proof.curve'),
    apply: { proof: nameOtherAlgorithm },
  },
  {
    name: 'proof-es256',
    description: 'The proof is of a P-256 key with ES256, which the issuer does not declare.',
    check: 'I31',
    rule: `${algorithmRule}, as cryptographic_suites_supported declares`,
    expected: invalidProof('proof.alg'),
    apply: { proof: signAs(createP256Holder) },
  },
]

import { generateKeyPairSync } from 'node:crypto'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { sampleLifetimeSeconds, sendAgain, sendLate } from './change-call.ts'
import {
  addOrderToS,
  allOf,
  breakSignature,
  encodeAsDer,
  nameOtherAlgorithm,
  type Signer,
  secondsFromNow,
  setHeader,
  setPayload,
  signAs,
  signByHmac,
  signByOther,
  signNothing,
  useHighS,
} from './change-jws.ts'
import type { ExpectedOutcome, FaultContext, WalletFault } from './wallet-fault.ts'

/** The credential endpoint rejects a proof that breaks this rule of `verifyProofOfPossession`. */
const invalidProof = (rule: string): ExpectedOutcome => ({
  at: 'credential',
  status: 400,
  error: 'invalid_proof',
  rule,
})

/** It rejects only the nonce, also in the wallet's second attempt with a new nonce. */
const invalidNonce: ExpectedOutcome = {
  at: 'credential',
  status: 400,
  error: 'invalid_nonce',
  rule: 'proof.nonce',
}

/** Sets kid and iss to another DID, for which there is no key. */
const nameHolder = (did: string, fragment: string) =>
  allOf(setHeader({ kid: `${did}#${fragment}` }), setPayload({ iss: did }))

const malformedKey = 'zQ3sThisIsNoPointOfTheCurve'

const nonceLifetimeOf = ({ issuance }: FaultContext) =>
  issuance?.cNonceExpiresIn ?? sampleLifetimeSeconds

/** Deviations of the header and the payload of the proof of possession. */
export const proofClaimsFaults: readonly WalletFault[] = [
  {
    name: 'proof-wrong-typ',
    description: 'The proof of possession has typ JWT, like any other token.',
    expected: invalidProof('proof.typ'),
    apply: { proof: setHeader({ typ: 'JWT' }) },
  },
  {
    name: 'proof-missing-typ',
    description: 'The proof of possession has no typ.',
    expected: invalidProof('proof.typ'),
    apply: { proof: setHeader({ typ: undefined }) },
  },
  {
    name: 'proof-missing-kid',
    description: 'The proof of possession has no kid.',
    expected: invalidProof('proof.kid'),
    apply: { proof: setHeader({ kid: undefined }) },
  },
  {
    name: 'proof-kid-without-fragment',
    description: 'kid is only the DID, without a fragment that names the key.',
    expected: invalidProof('proof.kid'),
    apply: { proof: setHeader({ kid: (_: unknown, { account }: FaultContext) => account.did }) },
  },
  {
    name: 'proof-did-web',
    description: 'The holder has a did:web.',
    expected: invalidProof('proof.did-method'),
    apply: { proof: nameHolder('did:web:holder.example', 'key-1') },
  },
  {
    name: 'proof-malformed-did-key',
    description: 'The holder has a did:key that does not contain a valid key.',
    expected: invalidProof('proof.key'),
    apply: { proof: nameHolder(`did:key:${malformedKey}`, malformedKey) },
  },
  {
    name: 'proof-private-jwk',
    description: 'The header contains a private key, which is not used for anything else.',
    expected: invalidProof('proof.header-key'),
    apply: {
      proof: setHeader({
        jwk: (_: unknown, { otherAccount }: FaultContext) => otherAccount.privateKey,
      }),
    },
  },
  {
    name: 'proof-symmetric-jwk',
    description: 'The header contains a symmetric key.',
    expected: invalidProof('proof.header-key'),
    apply: {
      proof: setHeader({
        jwk: (_: unknown, { account }: FaultContext) => ({
          kty: 'oct',
          k: publicJwkOf(account.privateKey).x,
        }),
      }),
    },
  },
  {
    name: 'proof-other-iss',
    description: 'iss of the proof does not match the holder in kid.',
    expected: invalidProof('proof.iss'),
    apply: {
      proof: setPayload({ iss: (_: unknown, { otherAccount }: FaultContext) => otherAccount.did }),
    },
  },
  {
    name: 'proof-missing-iss',
    description: 'The proof of possession has no iss.',
    expected: invalidProof('proof.iss'),
    apply: { proof: setPayload({ iss: undefined }) },
  },
  {
    name: 'proof-wrong-aud',
    description: 'The proof of possession is addressed to another issuer.',
    expected: invalidProof('proof.aud'),
    apply: { proof: setPayload({ aud: 'https://issuer.example' }) },
  },
  {
    name: 'proof-missing-aud',
    description: 'The proof of possession has no aud.',
    expected: invalidProof('proof.aud'),
    apply: { proof: setPayload({ aud: undefined }) },
  },
  {
    name: 'proof-missing-nonce',
    description: 'The proof of possession has no nonce.',
    expected: invalidProof('proof.nonce-missing'),
    apply: { proof: setPayload({ nonce: undefined }) },
  },
  {
    name: 'proof-wrong-nonce',
    description: 'The nonce of the proof of possession was never issued.',
    expected: invalidNonce,
    apply: { proof: setPayload({ nonce: 'bm90LXRoZS1ub25jZS1vZi10aGlzLXNlc3Npb24' }) },
  },
  {
    name: 'proof-nonce-reused',
    description: 'The wallet requests the credential again with the proof that was already used.',
    expected: { at: 'credential', status: 400, error: 'invalid_nonce' },
    apply: { credentialCall: sendAgain() },
  },
  {
    name: 'proof-nonce-expired',
    description: 'The proof of possession arrives after c_nonce_expires_in.',
    needs: ['clock', 'short-nonce'],
    expected: { at: 'credential', status: 400, error: 'invalid_nonce' },
    apply: {
      // The proof itself is fresh when it arrives.
      proof: setPayload({
        iat: (_: unknown, context: FaultContext) => context.now + nonceLifetimeOf(context),
      }),
      credentialCall: sendLate(nonceLifetimeOf),
    },
  },
  {
    name: 'proof-iat-future',
    description: 'iat of the proof of possession is an hour in the future.',
    expected: invalidProof('proof.iat'),
    apply: { proof: setPayload({ iat: secondsFromNow(3600) }) },
  },
  {
    name: 'proof-not-yet-valid',
    description: 'nbf of the proof of possession is an hour in the future.',
    expected: invalidProof('proof.nbf'),
    apply: { proof: setPayload({ nbf: secondsFromNow(3600) }) },
  },
  {
    name: 'proof-iat-old',
    description: 'The proof of possession was created an hour ago.',
    expected: invalidProof('proof.iat'),
    apply: { proof: setPayload({ iat: secondsFromNow(-3600) }) },
  },
  {
    name: 'proof-missing-iat',
    description: 'The proof of possession has no iat.',
    expected: invalidProof('proof.iat'),
    apply: { proof: setPayload({ iat: undefined }) },
  },
  {
    name: 'proof-expired',
    description: 'exp of the proof of possession is in the past.',
    expected: invalidProof('proof.exp'),
    apply: { proof: setPayload({ exp: secondsFromNow(-1) }) },
  },
]

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
    description: 'The signature of the proof uses the higher of the two valid values of s.',
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

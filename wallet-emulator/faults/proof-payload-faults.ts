import { sampleLifetimeSeconds, sendAgain, sendLate } from './change-call.ts'
import { invalidNonce, invalidProof } from './proof-outcomes.ts'
import { secondsFromNow, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const nonceLifetimeOf = ({ issuance }: FaultContext) =>
  issuance?.cNonceExpiresIn ?? sampleLifetimeSeconds

/** Deviations of the payload of the proof of possession. */
export const proofPayloadFaults: readonly WalletFault[] = [
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

import { publicJwkOf } from '#core/crypto/jwk.ts'
import { invalidProof } from './proof-outcomes.ts'
import { allOf, setHeader, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

/** kid and iss of another DID, which no key stands behind. */
const nameHolder = (did: string, fragment: string) =>
  allOf(setHeader({ kid: `${did}#${fragment}` }), setPayload({ iss: did }))

const malformedKey = 'zQ3sThisIsNoPointOfTheCurve'

/** Deviations of the header of the proof of possession. */
export const proofHeaderFaults: readonly WalletFault[] = [
  {
    name: 'proof-wrong-typ',
    description: 'The proof of possession is typed JWT, as any other token.',
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
    description: 'The proof of possession does not say whose key signed it.',
    expected: invalidProof('proof.kid'),
    apply: { proof: setHeader({ kid: undefined }) },
  },
  {
    name: 'proof-kid-without-fragment',
    description: 'kid is the DID alone, which names no key.',
    expected: invalidProof('proof.kid'),
    apply: { proof: setHeader({ kid: (_: unknown, { account }: FaultContext) => account.did }) },
  },
  {
    name: 'proof-did-web',
    description: 'The holder is named by a did:web.',
    expected: invalidProof('proof.did-method'),
    apply: { proof: nameHolder('did:web:holder.example', 'key-1') },
  },
  {
    name: 'proof-malformed-did-key',
    description: 'The holder is named by a did:key that holds no key.',
    expected: invalidProof('proof.key'),
    apply: { proof: nameHolder(`did:key:${malformedKey}`, malformedKey) },
  },
  {
    name: 'proof-private-jwk',
    description: 'The header gives away a private key, one that is used for nothing else.',
    expected: invalidProof('proof.header-key'),
    apply: {
      proof: setHeader({
        jwk: (_: unknown, { otherAccount }: FaultContext) => otherAccount.privateKey,
      }),
    },
  },
  {
    name: 'proof-symmetric-jwk',
    description: 'The header holds a symmetric key.',
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
]

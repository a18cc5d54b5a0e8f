import { publicJwkOf } from '#core/crypto/jwk.ts'
import { invalidProof } from './proof-outcomes.ts'
import { allOf, setHeader, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

/** Sets kid and iss to another DID, for which there is no key. */
const nameHolder = (did: string, fragment: string) =>
  allOf(setHeader({ kid: `${did}#${fragment}` }), setPayload({ iss: did }))

const malformedKey = 'zQ3sThisIsNoPointOfTheCurve'

/** Deviations of the header of the proof of possession. */
export const proofHeaderFaults: readonly WalletFault[] = [
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
]

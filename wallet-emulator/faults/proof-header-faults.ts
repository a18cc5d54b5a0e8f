import { publicJwkOf } from '#core/crypto/jwk.ts'
import { setHeader, setPayload } from './change-draft.ts'
import { invalidProof, proofJwt } from './proof-outcomes.ts'
import { allOf } from './set-members.ts'
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
    check: 'I27',
    rule: `${proofJwt}: typ openid4vci-proof+jwt`,
    expected: invalidProof('proof.typ'),
    apply: { proof: setHeader({ typ: 'JWT' }) },
  },
  {
    name: 'proof-missing-typ',
    description: 'The proof of possession has no typ.',
    check: 'I27',
    rule: `${proofJwt}: typ openid4vci-proof+jwt`,
    expected: invalidProof('proof.typ'),
    apply: { proof: setHeader({ typ: undefined }) },
  },
  {
    name: 'proof-missing-kid',
    description: 'The proof of possession does not say whose key signed it.',
    check: 'I32',
    rule: `${proofJwt}: kid, holder DID URL`,
    expected: invalidProof('proof.kid'),
    apply: { proof: setHeader({ kid: undefined }) },
  },
  {
    name: 'proof-kid-without-fragment',
    description: 'kid is the DID alone, which names no key.',
    check: 'I32',
    rule: `${proofJwt}: kid, holder DID URL`,
    expected: invalidProof('proof.kid'),
    apply: { proof: setHeader({ kid: (_: unknown, { account }: FaultContext) => account.did }) },
  },
  {
    name: 'proof-did-web',
    description: 'The holder is named by a did:web.',
    check: 'I34',
    rule: 'Document 1, Supported curves: did:key and did:jwk',
    expected: invalidProof('proof.did-method'),
    apply: { proof: nameHolder('did:web:holder.example', 'key-1') },
  },
  {
    name: 'proof-malformed-did-key',
    description: 'The holder is named by a did:key that holds no key.',
    check: 'I35',
    rule: 'Document 1, Supported curves: did:key with the prefix zQ3s or z6Mk',
    expected: invalidProof('proof.key'),
    apply: { proof: nameHolder(`did:key:${malformedKey}`, malformedKey) },
  },
  {
    name: 'proof-private-jwk',
    description: 'The header gives away a private key, one that is used for nothing else.',
    check: 'I43',
    rule: 'OpenID4VCI, Verifying Proof: the header does not contain a private key',
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
    check: 'I44',
    rule: `${proofJwt}: ES256K or EdDSA, whose keys are public; OpenID4VCI, jwt Proof Type`,
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

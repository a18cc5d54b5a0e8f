import {
  addOrderToS,
  breakSignature,
  encodeAsDer,
  nameOtherAlgorithm,
  signAs,
  signByHmac,
  signByOther,
  signNothing,
  useHighS,
} from './signature-changes.ts'
import type { WalletFault } from './wallet-fault.ts'

const badSignature = { at: 'verdict', rule: 'presentation.signature' } as const
// With such an algorithm, no signature can verify.
const badAlgorithm = {
  at: 'verdict',
  rule: 'presentation.algorithm',
  entails: ['presentation.signature'],
} as const

/** Deviations of the algorithm and the signature of the presentation. */
export const presentationSignatureFaults: readonly WalletFault[] = [
  {
    name: 'presentation-bad-signature',
    description: 'One bit of the signature of the presentation is wrong.',
    expected: badSignature,
    apply: { presentation: breakSignature },
  },
  {
    name: 'presentation-other-key',
    description: "Another holder's key signs the presentation in the name of the holder.",
    expected: badSignature,
    apply: { presentation: signByOther },
  },
  {
    name: 'presentation-der-signature',
    description: 'The signature of the presentation is in ASN.1, the form of OpenSSL.',
    algorithms: ['ES256K'],
    expected: badSignature,
    apply: { presentation: encodeAsDer },
  },
  {
    name: 'presentation-order-added',
    description: 'S of the signature of the presentation is larger than the order of the curve.',
    algorithms: ['EdDSA'],
    expected: badSignature,
    apply: { presentation: addOrderToS },
  },
  {
    name: 'presentation-high-s',
    description:
      'The signature of the presentation uses the high one of the two valid values of s.',
    algorithms: ['ES256K'],
    expected: {
      at: 'nowhere',
      because: 'RFC 8812 allows both values; half of the signatures of OpenSSL are high',
    },
    apply: { presentation: useHighS },
  },
  {
    name: 'holder-mismatch',
    description:
      'Another holder presents the credential, with a valid signature of the key of that other holder.',
    expected: { at: 'verdict', rule: 'credential.holder' },
    apply: { presentation: signAs(({ otherAccount }) => otherAccount) },
  },
  {
    name: 'presentation-alg-none',
    description: 'The presentation is not signed and has alg none.',
    expected: badAlgorithm,
    apply: { presentation: signNothing },
  },
  {
    name: 'presentation-hs256',
    description: 'The presentation has a MAC with the public key as the secret.',
    expected: badAlgorithm,
    apply: { presentation: signByHmac },
  },
  {
    name: 'presentation-curve-mismatch',
    description: 'The header of the presentation names the algorithm of the other curve.',
    expected: badSignature,
    apply: { presentation: nameOtherAlgorithm },
  },
]

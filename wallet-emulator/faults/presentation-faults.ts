import { encodeJson } from '#core/crypto/base64url.ts'
import { parseJws } from '#core/crypto/jws.ts'
import {
  addOrderToS,
  breakSignature,
  changeMembers,
  encodeAsDer,
  nameOtherAlgorithm,
  secondsFromNow,
  setHeader,
  setPayload,
  signAs,
  signByHmac,
  signByOther,
  signNothing,
  useHighS,
} from './change-jws.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

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
    description: 'The signature of the presentation uses the higher of the two valid values of s.',
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

const broken = (rule: string, ...entails: readonly string[]) =>
  ({ at: 'verdict', rule, ...(entails.length > 0 && { entails }) }) as const

/** Replaces the employee in the credential and keeps the issuer's signature. */
function tamper(credentials: unknown, context: FaultContext): unknown {
  const [credential, ...others] = credentials as readonly string[]
  const [header, , signature] = (credential ?? '').split('.')
  const jws = parseJws(credential ?? '')
  if (!jws.ok) return credentials
  const path = 'vc.credentialSubject.mandate.mandatee.employeeId'
  const payload = changeMembers(jws.payload, { [path]: 'somebody-else' }, context)
  return [`${header}.${encodeJson(payload)}.${signature}`, ...others]
}

/** Deviations of the holder, the times, the audience and the credentials of a presentation. */
export const presentationClaimsFaults: readonly WalletFault[] = [
  {
    name: 'presentation-wrong-aud',
    description: 'The presentation is addressed to another verifier.',
    expected: broken('presentation.audience'),
    apply: { presentation: setPayload({ aud: 'did:org:uc-pre:zAnotherVerifier' }) },
  },
  {
    name: 'presentation-missing-aud',
    description: 'The presentation has no aud.',
    expected: broken('presentation.audience'),
    apply: { presentation: setPayload({ aud: undefined }) },
  },
  {
    name: 'presentation-two-audiences',
    description: 'The presentation is also addressed to another verifier.',
    expected: broken('presentation.audience'),
    apply: {
      presentation: setPayload({ aud: (aud: unknown) => [aud, 'did:org:uc-pre:zAnotherVerifier'] }),
    },
  },
  {
    name: 'presentation-wrong-nonce',
    description: 'The nonce of the presentation does not match the request.',
    expected: broken('presentation.nonce'),
    apply: { presentation: setPayload({ nonce: 'bm90LXRoZS1ub25jZS1vZi10aGUtcmVxdWVzdA' }) },
  },
  {
    name: 'presentation-missing-nonce',
    description: 'The presentation has no nonce.',
    expected: broken('presentation.nonce'),
    apply: { presentation: setPayload({ nonce: undefined }) },
  },
  {
    name: 'presentation-expired',
    description: 'The presentation expired an hour ago, after a lifetime of five minutes.',
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ iat: secondsFromNow(-3900), exp: secondsFromNow(-3600) }) },
  },
  {
    name: 'presentation-missing-exp',
    description: 'The presentation does not expire.',
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ exp: undefined }) },
  },
  {
    name: 'presentation-long-lived',
    description: 'The presentation is valid for a day.',
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ exp: secondsFromNow(86_400) }) },
  },
  {
    name: 'presentation-iat-future',
    description: 'iat of the presentation is five minutes in the future.',
    expected: broken('presentation.issued-at'),
    apply: { presentation: setPayload({ iat: secondsFromNow(300), exp: secondsFromNow(600) }) },
  },
  {
    name: 'presentation-not-yet-valid',
    description: 'nbf of the presentation is five minutes in the future.',
    expected: broken('presentation.not-before'),
    apply: { presentation: setPayload({ nbf: secondsFromNow(300) }) },
  },
  {
    name: 'presentation-iat-old',
    description: 'The presentation was created an hour ago and is valid for another five minutes.',
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ iat: secondsFromNow(-3600) }) },
  },
  {
    name: 'presentation-missing-iat',
    description: 'The presentation has no iat.',
    expected: broken('presentation.issued-at'),
    apply: { presentation: setPayload({ iat: undefined }) },
  },
  {
    name: 'presentation-other-iss',
    description: 'iss of the presentation does not match the holder in kid.',
    expected: broken('presentation.issuer'),
    apply: {
      presentation: setPayload({
        iss: (_: unknown, { otherAccount }: FaultContext) => otherAccount.did,
      }),
    },
  },
  {
    name: 'presentation-missing-iss',
    description: 'The presentation has no iss.',
    expected: broken('presentation.issuer'),
    apply: { presentation: setPayload({ iss: undefined }) },
  },
  {
    name: 'presentation-missing-kid',
    description: 'The presentation has no kid.',
    // Without kid, neither the holder nor the signature can be verified.
    expected: {
      at: 'verdict',
      rule: 'presentation.kid',
      entails: ['presentation.issuer', 'presentation.signature', 'credential.holder'],
    },
    apply: { presentation: setHeader({ kid: undefined }) },
  },
  {
    name: 'presentation-wrong-typ',
    description: 'The presentation has the typ of a proof of possession.',
    expected: broken('presentation.typ'),
    apply: { presentation: setHeader({ typ: 'openid4vci-proof+jwt' }) },
  },
  {
    name: 'presentation-missing-typ',
    description: 'The presentation has no typ.',
    expected: broken('presentation.typ'),
    apply: { presentation: setHeader({ typ: undefined }) },
  },
  {
    name: 'presentation-empty',
    description: 'The presentation contains no credential.',
    // A missing credential is unreadable and has none of the requested claims.
    expected: broken('presentation.credentials', 'credential.claims', 'credential.format'),
    apply: { presentation: setPayload({ 'vp.verifiableCredential': [] }) },
  },
  {
    name: 'presentation-two-credentials',
    description: 'The presentation contains the credential twice.',
    expected: broken('presentation.credentials'),
    apply: {
      presentation: setPayload({
        'vp.verifiableCredential': (held: unknown) => [held, held].flat(),
      }),
    },
  },
  {
    name: 'presentation-tampered-credential',
    description: 'The holder has changed the employeeId in the credential.',
    expected: broken('credential.signature'),
    apply: { presentation: setPayload({ 'vp.verifiableCredential': tamper }) },
  },
  {
    name: 'presentation-huge',
    description: 'The presentation contains 1 MiB of padding.',
    expected: { at: 'presentation', status: 413, error: 'payload_too_large' },
    apply: { presentation: setPayload({ padding: 'x'.repeat(1024 * 1024) }) },
  },
  {
    name: 'presentation-wrong-context',
    description: 'The presentation has the @context of credentials.',
    expected: broken('presentation.context'),
    apply: {
      presentation: setPayload({ 'vp.@context': ['https://www.w3.org/ns/credentials/v2'] }),
    },
  },
  {
    name: 'presentation-wrong-type',
    description: 'The type of the presentation is not VerifiablePresentation.',
    expected: broken('presentation.type'),
    apply: { presentation: setPayload({ 'vp.type': ['Presentation'] }) },
  },
]

import { secondsFromNow, setHeader, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const broken = (rule: string) => ({ at: 'verdict', rule }) as const

/** Deviations of the holder, the times and the audience of a presentation. */
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
]

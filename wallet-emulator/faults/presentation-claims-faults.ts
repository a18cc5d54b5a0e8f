import { secondsFromNow, setHeader, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const broken = (rule: string) => ({ at: 'verdict', rule }) as const

/** Deviations of who, when and for whom a presentation says that it was made. */
export const presentationClaimsFaults: readonly WalletFault[] = [
  {
    name: 'presentation-wrong-aud',
    description: 'The presentation is addressed to another verifier.',
    expected: broken('presentation.audience'),
    apply: { presentation: setPayload({ aud: 'did:org:uc-pre:zAnotherVerifier' }) },
  },
  {
    name: 'presentation-missing-aud',
    description: 'The presentation is addressed to nobody.',
    expected: broken('presentation.audience'),
    apply: { presentation: setPayload({ aud: undefined }) },
  },
  {
    name: 'presentation-two-audiences',
    description: 'The presentation is addressed to another verifier as well.',
    expected: broken('presentation.audience'),
    apply: {
      presentation: setPayload({ aud: (aud: unknown) => [aud, 'did:org:uc-pre:zAnotherVerifier'] }),
    },
  },
  {
    name: 'presentation-wrong-nonce',
    description: 'The presentation carries another nonce than the request.',
    expected: broken('presentation.nonce'),
    apply: { presentation: setPayload({ nonce: 'bm90LXRoZS1ub25jZS1vZi10aGUtcmVxdWVzdA' }) },
  },
  {
    name: 'presentation-missing-nonce',
    description: 'The presentation carries no nonce.',
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
    description: 'The presentation is good for a day.',
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ exp: secondsFromNow(86_400) }) },
  },
  {
    name: 'presentation-iat-future',
    description: 'iat of the presentation is five minutes ahead.',
    expected: broken('presentation.issued-at'),
    apply: { presentation: setPayload({ iat: secondsFromNow(300), exp: secondsFromNow(600) }) },
  },
  {
    name: 'presentation-not-yet-valid',
    description: 'The presentation carries an nbf that is five minutes ahead.',
    expected: broken('presentation.not-before'),
    apply: { presentation: setPayload({ nbf: secondsFromNow(300) }) },
  },
  {
    name: 'presentation-iat-old',
    description: 'The presentation was made an hour ago and is good for five minutes more.',
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ iat: secondsFromNow(-3600) }) },
  },
  {
    name: 'presentation-missing-iat',
    description: 'The presentation does not say when it was made.',
    expected: broken('presentation.issued-at'),
    apply: { presentation: setPayload({ iat: undefined }) },
  },
  {
    name: 'presentation-other-iss',
    description: 'iss of the presentation is another holder than the one of kid.',
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
    description: 'The presentation does not say whose key signed it.',
    // Whose it is can't be told then, nor whether they signed it.
    expected: {
      at: 'verdict',
      rule: 'presentation.kid',
      entails: ['presentation.issuer', 'presentation.signature', 'credential.holder'],
    },
    apply: { presentation: setHeader({ kid: undefined }) },
  },
  {
    name: 'presentation-wrong-typ',
    description: 'The presentation is typed as a proof of possession.',
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

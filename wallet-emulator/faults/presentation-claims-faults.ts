import { secondsFromNow, setHeader, setPayload } from './change-draft.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const token = 'Document 1, Presentation token'
const clientId =
  'Document 1, Presentation authorization_request: client_id must equal the aud of the presentation'
const nonce =
  'Document 1, Presentation authorization_request: nonce, placed in the signed presentation'
const broken = (rule: string) => ({ at: 'verdict', rule }) as const

/** Deviations of who, when and for whom a presentation says that it was made. */
export const presentationClaimsFaults: readonly WalletFault[] = [
  {
    name: 'presentation-wrong-aud',
    description: 'The presentation is addressed to another verifier.',
    check: 'V06',
    rule: clientId,
    expected: broken('presentation.audience'),
    apply: { presentation: setPayload({ aud: 'did:org:uc-pre:zAnotherVerifier' }) },
  },
  {
    name: 'presentation-missing-aud',
    description: 'The presentation is addressed to nobody.',
    check: 'V06',
    rule: clientId,
    expected: broken('presentation.audience'),
    apply: { presentation: setPayload({ aud: undefined }) },
  },
  {
    name: 'presentation-two-audiences',
    description: 'The presentation is addressed to another verifier as well.',
    check: 'V67',
    rule: clientId,
    expected: broken('presentation.audience'),
    apply: {
      presentation: setPayload({ aud: (aud: unknown) => [aud, 'did:org:uc-pre:zAnotherVerifier'] }),
    },
  },
  {
    name: 'presentation-wrong-nonce',
    description: 'The presentation carries another nonce than the request.',
    check: 'V07',
    rule: nonce,
    expected: broken('presentation.nonce'),
    apply: { presentation: setPayload({ nonce: 'bm90LXRoZS1ub25jZS1vZi10aGUtcmVxdWVzdA' }) },
  },
  {
    name: 'presentation-missing-nonce',
    description: 'The presentation carries no nonce.',
    check: 'V07',
    rule: nonce,
    expected: broken('presentation.nonce'),
    apply: { presentation: setPayload({ nonce: undefined }) },
  },
  {
    name: 'presentation-expired',
    description: 'The presentation expired an hour ago, after a lifetime of five minutes.',
    check: 'V09',
    rule: `${token}: exp`,
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ iat: secondsFromNow(-3900), exp: secondsFromNow(-3600) }) },
  },
  {
    name: 'presentation-missing-exp',
    description: 'The presentation does not expire.',
    check: 'V68',
    rule: `${token}: exp; required (A-28)`,
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ exp: undefined }) },
  },
  {
    name: 'presentation-long-lived',
    description: 'The presentation is good for a day.',
    check: 'V69',
    rule: `${token}: exp; at most 15 minutes after iat (A-28)`,
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ exp: secondsFromNow(86_400) }) },
  },
  {
    name: 'presentation-iat-future',
    description: 'iat of the presentation is five minutes ahead.',
    check: 'V10',
    rule: `${token}: iat; at most 60 s ahead (A-28)`,
    expected: broken('presentation.issued-at'),
    apply: { presentation: setPayload({ iat: secondsFromNow(300), exp: secondsFromNow(600) }) },
  },
  {
    name: 'presentation-not-yet-valid',
    description: 'The presentation carries an nbf that is five minutes ahead.',
    check: 'V71',
    rule: 'RFC 7519, 4.1.5: not to be accepted before nbf',
    expected: broken('presentation.not-before'),
    apply: { presentation: setPayload({ nbf: secondsFromNow(300) }) },
  },
  {
    name: 'presentation-iat-old',
    description: 'The presentation was made an hour ago and is good for five minutes more.',
    check: 'V69',
    rule: `${token}: iat, exp; at most 15 minutes between them (A-28)`,
    expected: broken('presentation.expiry'),
    apply: { presentation: setPayload({ iat: secondsFromNow(-3600) }) },
  },
  {
    name: 'presentation-missing-iat',
    description: 'The presentation does not say when it was made.',
    check: 'V70',
    rule: `${token}: iat`,
    expected: broken('presentation.issued-at'),
    apply: { presentation: setPayload({ iat: undefined }) },
  },
  {
    name: 'presentation-other-iss',
    description: 'iss of the presentation is another holder than the one of kid.',
    check: 'V11',
    rule: `${token}: iss (holder DID), kid (a DID URL of the holder key)`,
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
    check: 'V11',
    rule: `${token}: iss (holder DID)`,
    expected: broken('presentation.issuer'),
    apply: { presentation: setPayload({ iss: undefined }) },
  },
  {
    name: 'presentation-missing-kid',
    description: 'The presentation does not say whose key signed it.',
    check: 'V72',
    rule: `${token}: kid (a DID URL of the holder key)`,
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
    check: 'V16',
    rule: `${token}: typ JWT`,
    expected: broken('presentation.typ'),
    apply: { presentation: setHeader({ typ: 'openid4vci-proof+jwt' }) },
  },
  {
    name: 'presentation-missing-typ',
    description: 'The presentation has no typ.',
    check: 'V16',
    rule: `${token}: typ JWT`,
    expected: broken('presentation.typ'),
    apply: { presentation: setHeader({ typ: undefined }) },
  },
]

import { encodeBase64url } from '#core/crypto/base64url.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { changeMembers, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const broken = (rule: string, ...entails: readonly string[]) =>
  ({ at: 'verdict', rule, ...(entails.length > 0 && { entails }) }) as const

/** The credential with another employee in it, and the issuer's signature left as it was. */
function tamper(credentials: unknown, context: FaultContext): unknown {
  const [credential, ...others] = credentials as readonly string[]
  const [header, , signature] = (credential ?? '').split('.')
  const jws = parseJws(credential ?? '')
  if (!jws.ok) return credentials
  const path = 'vc.credentialSubject.mandate.mandatee.employeeId'
  const payload = changeMembers(jws.payload, { [path]: 'somebody-else' }, context)
  return [`${header}.${encodeBase64url(JSON.stringify(payload))}.${signature}`, ...others]
}

/** Deviations of what the presentation holds. */
export const presentedCredentialsFaults: readonly WalletFault[] = [
  {
    name: 'presentation-empty',
    description: 'The presentation holds no credential.',
    // What is not there can't be read, and lacks what was asked for.
    expected: broken('presentation.credentials', 'credential.claims', 'credential.format'),
    apply: { presentation: setPayload({ 'vp.verifiableCredential': [] }) },
  },
  {
    name: 'presentation-two-credentials',
    description: 'The presentation holds the credential twice.',
    expected: broken('presentation.credentials'),
    apply: {
      presentation: setPayload({
        'vp.verifiableCredential': (held: unknown) => [held, held].flat(),
      }),
    },
  },
  {
    name: 'presentation-tampered-credential',
    description: 'The holder has written another employeeId into the credential.',
    expected: broken('credential.signature'),
    apply: { presentation: setPayload({ 'vp.verifiableCredential': tamper }) },
  },
  {
    name: 'presentation-huge',
    description: 'The presentation carries a mebibyte of padding.',
    expected: { at: 'presentation', status: 413, error: 'payload_too_large' },
    apply: { presentation: setPayload({ padding: 'x'.repeat(1024 * 1024) }) },
  },
  {
    name: 'presentation-wrong-context',
    description: "The presentation's @context is the one of credentials.",
    expected: broken('presentation.context'),
    apply: {
      presentation: setPayload({ 'vp.@context': ['https://www.w3.org/ns/credentials/v2'] }),
    },
  },
  {
    name: 'presentation-wrong-type',
    description: 'The presentation is no VerifiablePresentation by its type.',
    expected: broken('presentation.type'),
    apply: { presentation: setPayload({ 'vp.type': ['Presentation'] }) },
  },
]

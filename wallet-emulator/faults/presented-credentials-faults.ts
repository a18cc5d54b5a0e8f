import { encodeBase64url } from '#core/crypto/base64url.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { changeMembers, setPayload } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

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
  return [`${header}.${encodeBase64url(JSON.stringify(payload))}.${signature}`, ...others]
}

/** Deviations of the content of the presentation. */
export const presentedCredentialsFaults: readonly WalletFault[] = [
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

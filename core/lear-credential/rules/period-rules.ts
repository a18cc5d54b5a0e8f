import type { Rule } from '#core/verification/evaluate-rules.ts'
import { parseIsoTime } from '#core/verification/iso-time.ts'
import type { CredentialContext } from '../credential-context.ts'

/** Seconds by which an issuer's clock may be ahead of ours. */
export const skewSeconds = 60

/**
 * When a credential may be used (Document 1, Credential schema rules 5).
 *
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5
 */
export const periodRules: readonly Rule<CredentialContext>[] = [
  {
    rule: 'credential.expiry',
    statement: 'The credential is not past validUntil, nor past exp.',
    path: 'vc.validUntil',
    evaluate: ({ vc, jws, now }, { fail }) => {
      const { exp } = jws.payload
      const validUntil = parseIsoTime(vc.validUntil)
      if (vc.validUntil !== undefined && validUntil === undefined) {
        fail('it is no time', undefined, vc.validUntil)
      }
      if (validUntil !== undefined && now > validUntil) {
        fail('the credential has expired', undefined, vc.validUntil)
      }
      if (exp !== undefined && !isTime(exp)) fail('it is no time', 'exp', exp)
      if (isTime(exp) && now >= exp) fail('the credential has expired', 'exp', exp)
      if (vc.validUntil === undefined && exp === undefined) {
        fail('the credential names no end of its validity')
      }
    },
  },
  {
    rule: 'credential.not-before',
    statement: 'The credential is valid already.',
    path: 'vc.validFrom',
    evaluate: ({ vc, jws, now }, { fail }) => {
      const { nbf } = jws.payload
      const validFrom = parseIsoTime(vc.validFrom)
      if (vc.validFrom !== undefined && validFrom === undefined) {
        fail('it is no time', undefined, vc.validFrom)
      }
      if (validFrom !== undefined && validFrom > now + skewSeconds) {
        fail('the credential is not valid yet', undefined, vc.validFrom)
      }
      if (nbf !== undefined && !isTime(nbf)) fail('it is no time', 'nbf', nbf)
      if (isTime(nbf) && nbf > now + skewSeconds)
        fail('the credential is not valid yet', 'nbf', nbf)
    },
  },
  {
    rule: 'credential.issued-at',
    statement: 'iat tells when the credential was signed, which was not in the future.',
    path: 'iat',
    evaluate: ({ jws, now }, { fail }) => {
      const { iat } = jws.payload
      if (!isTime(iat)) fail('it is absent or no time', undefined, iat)
      else if (iat > now + skewSeconds) fail('it is in the future', undefined, iat)
    },
  },
]

/** A NumericDate, fractions allowed (RFC 7519, section 2). */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

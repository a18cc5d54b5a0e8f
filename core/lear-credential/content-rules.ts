import { membersOf } from '#core/json/json-object.ts'
import {
  credentialsContext,
  isTime,
  parseIsoTime,
  skewSeconds,
} from '#core/verification/data-model.ts'
import type { Rule } from '#core/verification/rules.ts'
import type { CredentialContext } from './credential-context.ts'
import { isClaimText } from './lear-credential.ts'

/**
 * The required content of a credential (profile/credential, Rules 1 to 4 and 7).
 *
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1..4 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7 1.limits.5
 */
export const schemaRules: readonly Rule<CredentialContext>[] = [
  {
    rule: 'credential.context',
    statement: `The first element of @context is ${credentialsContext}.`,
    fix: `Make ${credentialsContext} the first element of vc.@context.`,
    path: 'vc.@context.0',
    evaluate: ({ vc }, { fail }) => {
      const context = vc['@context']
      if (!Array.isArray(context) || context[0] !== credentialsContext) {
        fail(`the first element is not ${credentialsContext}`, undefined, firstOf(context))
      }
    },
  },
  {
    rule: 'credential.type-chain',
    statement: 'The type array contains every type of the inheritance chain.',
    fix: "List VerifiableCredential, LEARCredential and the credential's own type in vc.type.",
    path: 'vc.type',
    evaluate: ({ vc, policy: { inheritedTypes } }, { fail }) => {
      const missing = inheritedTypes.filter((type) => !typesOf(vc).includes(type))
      if (missing.length > 0) fail(`it does not contain ${missing.join(', ')}`, undefined, vc.type)
    },
  },
  {
    rule: 'credential.type',
    statement: 'The credential has the accepted type.',
    fix: 'Issue or request a credential of the accepted type, or configure the verifier to accept this type. A subtype of the accepted type is not accepted.',
    path: 'vc.type',
    evaluate: ({ vc, policy: { acceptedType, inheritedTypes } }, { fail }) => {
      const own = typesOf(vc).filter(
        (type) => !inheritedTypes.some((inherited) => inherited === type),
      )
      // A subtype of the accepted type is not accepted: the setting names one type, not a family.
      if (own.length !== 1 || own[0] !== acceptedType) {
        fail(`its type is not ${acceptedType}`, undefined, vc.type)
      }
    },
  },
  {
    rule: 'credential.power',
    statement: 'mandate.power is an array with at least one element.',
    fix: 'Put at least one power into the array vc.credentialSubject.mandate.power.',
    path: 'vc.credentialSubject.mandate.power',
    evaluate: ({ mandate }, { fail }) => {
      if (!Array.isArray(mandate.power)) fail('it is not an array', undefined, mandate.power)
      else if (mandate.power.length === 0) fail('it is empty')
    },
  },
  {
    rule: 'credential.employee-id',
    statement: 'mandate.mandatee.employeeId is present.',
    fix: 'Set vc.credentialSubject.mandate.mandatee.employeeId to a string of 1 to 256 characters, without control characters.',
    path: 'vc.credentialSubject.mandate.mandatee.employeeId',
    evaluate: ({ mandate }, { fail }) => {
      const { employeeId } = membersOf(mandate.mandatee)
      if (typeof employeeId !== 'string' || employeeId.trim() === '') {
        fail('it is missing, empty or not a string', undefined, employeeId)
      } else if (!isClaimText(employeeId)) {
        const reason = 'it is longer than 256 characters, or contains control characters'
        fail(reason, undefined, employeeId)
      }
    },
  },
]

function typesOf(vc: CredentialContext['vc']): readonly unknown[] {
  return Array.isArray(vc.type) ? vc.type : []
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}

/**
 * When a credential may be used (profile/credential, Rules 5).
 *
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5
 */
export const periodRules: readonly Rule<CredentialContext>[] = [
  {
    rule: 'credential.expiry',
    statement: 'Neither validUntil nor exp of the credential has passed.',
    fix: 'Request a new credential. As its issuer, set validUntil (such as 2030-12-31T00:00:00Z) or exp (Unix seconds) to a time in the future.',
    path: 'vc.validUntil',
    evaluate: ({ vc, jws, now }, { fail }) => {
      const { exp } = jws.payload
      const validUntil = parseIsoTime(vc.validUntil)
      if (vc.validUntil !== undefined && validUntil === undefined) {
        fail('it is not a valid time', undefined, vc.validUntil)
      }
      if (validUntil !== undefined && now > validUntil) {
        fail('the credential has expired', undefined, vc.validUntil)
      }
      if (exp === undefined) {
        if (vc.validUntil === undefined) fail('the credential has no expiry date')
      } else if (!isTime(exp)) fail('it is not a valid time', 'exp', exp)
      else if (now >= exp) fail('the credential has expired', 'exp', exp)
    },
  },
  {
    rule: 'credential.not-before',
    statement: 'The validity period of the credential has begun.',
    fix: `Set validFrom and nbf to a time that has passed, or omit them. The issuer's clock may be at most ${skewSeconds} s fast.`,
    path: 'vc.validFrom',
    evaluate: ({ vc, jws, now }, { fail }) => {
      const { nbf } = jws.payload
      const validFrom = parseIsoTime(vc.validFrom)
      if (vc.validFrom !== undefined && validFrom === undefined) {
        fail('it is not a valid time', undefined, vc.validFrom)
      }
      if (validFrom !== undefined && validFrom > now + skewSeconds) {
        fail('the credential is not valid yet', undefined, vc.validFrom)
      }
      if (nbf === undefined) return
      if (!isTime(nbf)) fail('it is not a valid time', 'nbf', nbf)
      else if (nbf > now + skewSeconds) fail('the credential is not valid yet', 'nbf', nbf)
    },
  },
  {
    rule: 'credential.issued-at',
    statement: 'iat is the time of the signature and is not in the future.',
    fix: `Set iat to the time of the signature, in Unix seconds. The issuer's clock may be at most ${skewSeconds} s fast.`,
    path: 'iat',
    evaluate: ({ jws, now }, { fail }) => {
      const { iat } = jws.payload
      if (!isTime(iat)) fail('it is missing or not a valid time', undefined, iat)
      else if (iat > now + skewSeconds) fail('it is in the future', undefined, iat)
    },
  },
]

/** The credential belongs to its presenter: a holder may present only their own credentials. */
export const holderRule: Rule<CredentialContext> = {
  rule: 'credential.holder',
  statement: 'The credential is about the DID that presents it.',
  fix: "Set vc.credentialSubject.id, and sub if it is present, to the holder's DID. Present the credential with the key of that DID.",
  path: 'vc.credentialSubject.id',
  evaluate: ({ vc, jws, holderDid }, { fail, note }) => {
    const { sub } = jws.payload
    const { id } = membersOf(vc.credentialSubject)
    if (typeof id !== 'string') fail('it is missing or not a DID', undefined, id)
    else if (holderDid !== undefined && id !== holderDid) {
      fail(`it is not the holder ${holderDid}`, undefined, id)
    }
    if (sub !== undefined && sub !== id) fail('it differs from credentialSubject.id', 'sub', sub)
    if (holderDid === undefined) note('The presenter is not known, so the holder was not compared.')
  },
}

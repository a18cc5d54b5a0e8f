import type { Rule } from '#core/verification/evaluate-rules.ts'
import type { CredentialContext } from '../credential-context.ts'
import { credentialsContext, isClaimText } from '../z-lear-credential.ts'

/**
 * What a credential has to hold (Document 1, Credential schema rules 1 to 4 and 7).
 *
 * @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1..4 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7 1.limits.5
 */
export const schemaRules: readonly Rule<CredentialContext>[] = [
  {
    rule: 'credential.context',
    statement: `@context has ${credentialsContext} as its first element.`,
    path: 'vc.@context.0',
    evaluate: ({ vc }, { fail }) => {
      const context = vc['@context']
      if (!Array.isArray(context) || context[0] !== credentialsContext) {
        fail('the first element is another one', undefined, firstOf(context))
      }
    },
  },
  {
    rule: 'credential.type-chain',
    statement: 'The type array contains every type of the inheritance chain.',
    path: 'vc.type',
    evaluate: ({ vc, policy: { inheritedTypes } }, { fail }) => {
      const missing = inheritedTypes.filter((type) => !typesOf(vc).includes(type))
      if (missing.length > 0) fail(`it lacks ${missing.join(', ')}`, undefined, vc.type)
    },
  },
  {
    rule: 'credential.type',
    statement: 'The credential is of the accepted type.',
    path: 'vc.type',
    evaluate: ({ vc, policy: { acceptedType, inheritedTypes } }, { fail }) => {
      const own = typesOf(vc).filter(
        (type) => !inheritedTypes.some((inherited) => inherited === type),
      )
      // A type below the accepted one is another type: the setting names one, not a family.
      if (own.length !== 1 || own[0] !== acceptedType) {
        fail(`its type is not ${acceptedType}`, undefined, vc.type)
      }
    },
  },
  {
    rule: 'credential.power',
    statement: 'mandate.power is an array with at least one element.',
    path: 'vc.credentialSubject.mandate.power',
    evaluate: ({ mandate }, { fail }) => {
      if (!Array.isArray(mandate.power)) fail('it is no array', undefined, mandate.power)
      else if (mandate.power.length === 0) fail('it is empty')
    },
  },
  {
    rule: 'credential.employee-id',
    statement: 'mandate.mandatee.employeeId is present.',
    path: 'vc.credentialSubject.mandate.mandatee.employeeId',
    evaluate: ({ mandate }, { fail }) => {
      const { mandatee } = mandate
      const employeeId =
        typeof mandatee === 'object' && mandatee !== null && 'employeeId' in mandatee
          ? mandatee.employeeId
          : undefined
      if (typeof employeeId !== 'string' || employeeId.trim() === '') {
        fail('it is absent, empty or no text', undefined, employeeId)
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

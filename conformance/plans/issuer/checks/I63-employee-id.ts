import { defineCredentialCheck } from '../flow/define-credential-check.ts'

interface Subject {
  readonly mandate?: { readonly mandatee?: { readonly employeeId?: unknown } }
}

export const check = defineCredentialCheck({
  id: 'I63',
  title: 'mandatee.employeeId is there',
  level: 'spec',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
  description: 'The documents make it mandatory; logins are told apart by it.',
  decides:
    'mandate.mandatee.employeeId is there. That it is empty, or no text, is a WARN: the documents say no more than that it is present.',
  rules: ['credential.employee-id'],
  weighsLess: ({ vc }) => {
    const subject = vc.credentialSubject as Subject | undefined
    return (subject?.mandate?.mandatee?.employeeId ?? null) !== null
  },
})

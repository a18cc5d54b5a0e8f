import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I63',
  title: 'mandatee.employeeId is there',
  level: 'spec',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
  description: 'The documents make it mandatory; logins are told apart by it.',
  decides: 'mandate.mandatee.employeeId is a text that is not empty.',
  rules: ['credential.employee-id'],
})

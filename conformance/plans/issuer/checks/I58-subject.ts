import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I58',
  title: 'The credential is about the DID that proved its key',
  level: 'final',
  clauses: ['OpenID4VCI 1.0, 8.1'],
  description: 'A credential about another one can be presented by nobody.',
  decides: 'credentialSubject.id is the DID of the proof, and so is sub where it is there.',
  rules: ['credential.holder'],
})

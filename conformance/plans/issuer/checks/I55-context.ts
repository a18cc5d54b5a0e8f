import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I55',
  title: '@context begins with the one of the data model 2.0',
  level: 'spec',
  rows: [
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3',
    '1.versioning.1',
  ],
  description:
    'Verifiers refuse another first element: it is by the first one that they know the data model.',
  decides: 'The first element of @context is https://www.w3.org/ns/credentials/v2.',
  rules: ['credential.context'],
})

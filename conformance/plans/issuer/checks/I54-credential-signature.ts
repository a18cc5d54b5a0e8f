import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I54',
  title: 'The credential is signed with a key that its issuer may sign with',
  level: 'spec',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
  description:
    'A verifier refuses what it can not trace to the DID document of the issuer; the holder finds that out at the first login.',
  decides:
    'kid resolves in the DID registry, its key was in assertionMethod at iat, and the signature verifies with it.',
  rules: [
    'credential.algorithm',
    'credential.issuer-document',
    'credential.issuer-key',
    'credential.signature',
  ],
  needs: ['trust'],
})

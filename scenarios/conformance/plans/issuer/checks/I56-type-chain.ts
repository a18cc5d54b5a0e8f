import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I56',
  title: 'type holds every type of the inheritance chain',
  level: 'spec',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
  description:
    'A verifier that asks for one of the types above finds no credential otherwise, and one that knows the chain refuses it.',
  decides:
    'type has every type of the offered entry of the metadata, and that is the one own type.',
  rules: ['credential.type-chain', 'credential.type'],
})

import { defineCredentialCheck } from '../flow/define-credential-check.ts'

export const check = defineCredentialCheck({
  id: 'I57',
  title: 'iss, issuer and kid name one issuer',
  level: 'spec',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
  description: 'Where they differ, verifiers that look at different ones believe different things.',
  decides:
    'iss, vc.issuer (or its id) and the DID in kid are one DID of the environment. That iss or vc.issuer is not there is a WARN: the documents do not show them.',
  rules: ['credential.issuer'],
  weighsLess: ({ jws, vc }) => jws.payload.iss === undefined || vc.issuer === undefined,
})

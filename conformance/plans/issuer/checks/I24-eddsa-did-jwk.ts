import { defineHolderCheck } from '../flow/define-holder-check.ts'

export const check = defineHolderCheck({ id: 'I24', curve: 'Ed25519', didMethod: 'jwk' })

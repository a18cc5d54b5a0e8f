import { defineHolderCheck } from '../flow/define-holder-check.ts'

export const check = defineHolderCheck({ id: 'I23', curve: 'secp256k1', didMethod: 'jwk' })

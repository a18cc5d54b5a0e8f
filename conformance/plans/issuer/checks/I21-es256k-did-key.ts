import { defineHolderCheck } from '../flow/define-holder-check.ts'

export const check = defineHolderCheck({ id: 'I21', curve: 'secp256k1', didMethod: 'key' })

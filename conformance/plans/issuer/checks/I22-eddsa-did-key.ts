import { defineHolderCheck } from '../flow/define-holder-check.ts'

export const check = defineHolderCheck({ id: 'I22', curve: 'Ed25519', didMethod: 'key' })

import { findRefusal } from '../../../classify-answer.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { createP256Jwk } from '../create-p256-jwk.ts'
import { jwkAsHex } from '../jwk-as-hex.ts'

export const check = defineDidRegistryCheck({
  id: 'D36',
  title: 'publicKeyType P-256 is refused with 400 UNSUPPORTED',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/verification-method-input.2', '2.errors/did-registry.4'],
  description:
    'The value is reserved. By the code a client learns to send the key as JsonWebKey2020 instead.',
  sends: 'addVerificationMethod with publicKeyType P-256 and a key of that curve.',
  decides: 'HTTP 400 with error UNSUPPORTED.',
  async run({ registry }) {
    const { did, address: from, vMethodId } = registry.createIdentity()
    const key = { publicKeyType: 'P-256', publicKey: jwkAsHex(createP256Jwk()) }
    const body = { did, vMethodId, ...key, from }
    const answer = await registry.post('contract/addVerificationMethod', body)
    const what = 'publicKeyType P-256'
    return findRefusal(answer, { what, statuses: [400], errors: ['UNSUPPORTED'] })
  },
})

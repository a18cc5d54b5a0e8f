import { findRefusal } from '../../../classify-answer.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D39',
  title: 'A key that is no point of secp256k1 is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/verification-method-input.5', '2.errors/did-registry.4'],
  description: 'No private key belongs to it, and libraries that meet it may fail in odd ways.',
  sends: 'addVerificationMethod with 0x04 and coordinates that are not on the curve.',
  decides: 'HTTP 400.',
  async run({ registry }) {
    const { did, address: from, vMethodId } = registry.createIdentity()
    const key = { publicKeyType: 'secp256k1', publicKey: `0x04${'11'.repeat(64)}` }
    const body = { did, vMethodId, ...key, from }
    const answer = await registry.post('contract/addVerificationMethod', body)
    return findRefusal(answer, { what: 'A key that is not on the curve', statuses: [400] })
  },
})

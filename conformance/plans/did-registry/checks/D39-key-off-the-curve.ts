import { findEachRefused } from '../../registries/find-each-refused.ts'
import { addRawKey } from '../add-raw-key.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D39',
  title: 'A key that is no point of secp256k1 is refused',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/verification-method-input.5', '2.errors/did-registry.4'],
  description: 'No private key belongs to it, and libraries that meet it may fail in odd ways.',
  sends: 'addVerificationMethod with 0x04 and coordinates that are not on the curve.',
  decides: 'HTTP 400.',
  async run({ registry }) {
    const identity = registry.createIdentity()
    const { publicKey } = identity
    const send = addRawKey(registry, identity)
    return findEachRefused(
      { 'a key that is not on the curve': send(`0x04${'11'.repeat(64)}`) },
      { statuses: [400], control: send(publicKey) },
    )
  },
})

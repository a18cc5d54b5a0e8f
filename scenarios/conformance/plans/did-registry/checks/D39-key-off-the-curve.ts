import { findEachRefused } from '../../../registries/find-each-refused.ts'
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
    const { did, address: from, vMethodId, publicKey } = registry.createIdentity()
    const send = (key: string) => () =>
      registry.post('contract/addVerificationMethod', {
        did,
        vMethodId,
        publicKeyType: 'secp256k1',
        publicKey: key,
        from,
      })
    return findEachRefused(
      { 'a key that is not on the curve': send(`0x04${'11'.repeat(64)}`) },
      { statuses: [400], control: send(publicKey) },
    )
  },
})

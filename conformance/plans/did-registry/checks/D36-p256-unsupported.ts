import { findEachRefused } from '../../registries/find-each-refused.ts'
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
    const publicKey = jwkAsHex(createP256Jwk())
    const send = (key: object) => () =>
      registry.post('contract/addVerificationMethod', { did, vMethodId, ...key, from })
    return findEachRefused(
      { 'publicKeyType P-256': send({ publicKeyType: 'P-256', publicKey }) },
      {
        statuses: [400],
        errors: ['UNSUPPORTED'],
        control: send({ publicKeyType: 'JsonWebKey2020', publicKey }),
      },
    )
  },
})

import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addMethod } from '../add-method.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D13',
  title: 'A method without a relationship may make no assertions',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.3'],
  description:
    'A key that was only registered has no use yet; listing it would let whoever holds it sign credentials.',
  sends: 'addVerificationMethod, without any relationship for the method.',
  decides: 'assertionMethod does not name it.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const { publicKey } = registry.createIdentity()
    const vMethodId = await addMethod(registry, identity, {
      publicKeyType: 'secp256k1',
      publicKey,
    })
    const isUsable = await isListed(registry, { did, vMethodId })
    expectEqual('whether assertionMethod names the method', isUsable, false)
    return held('The method is in no assertionMethod')
  },
})

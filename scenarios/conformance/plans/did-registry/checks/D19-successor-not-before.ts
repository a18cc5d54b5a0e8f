import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D19',
  title: 'The new key of a roll is not valid before its notBefore',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.31', '2.states-and-transitions.6'],
  description: 'A key that is announced for later must not sign before.',
  sends: 'rollVerificationMethod to a new key that begins in ten minutes.',
  decides: 'A second before notBefore assertionMethod names the old key and not the new one.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId: oldVMethodId } = identity
    await addUse(registry, identity, { notBefore: now() - 60, notAfter: now() + 86_400 })
    const { vMethodId, publicKey } = registry.createIdentity()
    const [notBefore, notAfter] = [now() + 600, now() + 86_400]
    const key = { vMethodId, publicKeyType: 'secp256k1', publicKey, notBefore, notAfter }
    const body = { did, ...key, oldVMethodId, duration: 600 }
    await registry.write('rollVerificationMethod', body, identity)
    const both = [
      await isListed(registry, identity, notBefore - 1),
      await isListed(registry, { did, vMethodId }, notBefore - 1),
    ]
    expectEqual('whether old and new are valid before notBefore', both, [true, false])
    return held('Before its notBefore the new key is not valid')
  },
})

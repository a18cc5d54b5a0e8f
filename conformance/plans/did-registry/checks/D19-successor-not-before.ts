import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'
import { rollKey } from '../roll-key.ts'

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
    const { old, successor, notBefore } = await rollKey(registry, now(), now() + 600)
    const before = notBefore - 1
    const both = [
      await isListed(registry, old, before),
      await isListed(registry, successor, before),
    ]
    expectEqual('whether old and new are valid before notBefore', both, [true, false])
    return held('Before its notBefore the new key is not valid')
  },
})

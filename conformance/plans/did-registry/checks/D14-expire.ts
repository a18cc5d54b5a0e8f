import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D14',
  title: 'An expired key is not valid after its notAfter',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.11',
    '2.states-and-transitions.5',
    '2.endpoints/did-registry.30',
  ],
  description: 'It is the natural end of a key’s life, planned ahead.',
  sends: 'expireVerificationMethod with a notAfter in half an hour, for a key that has a day.',
  decides: 'assertionMethod names it at notAfter - 1 and does not at notAfter + 1 (valid-at).',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    await addUse(registry, identity, { notBefore: now() - 60, notAfter: now() + 86_400 })
    const notAfter = now() + 1800
    const { did, vMethodId } = identity
    await registry.write('expireVerificationMethod', { did, vMethodId, notAfter }, identity)
    const before = await isListed(registry, identity, notAfter - 1)
    const after = await isListed(registry, identity, notAfter + 1)
    expectEqual('whether it is valid just before and just after', [before, after], [true, false])
    return held('The key is valid up to its notAfter and not after it')
  },
})

import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'
import { rollKey } from '../roll-key.ts'

export const check = defineDidRegistryCheck({
  id: 'D17',
  title: 'After a roll both keys are valid during the overlap',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.12',
    '2.states-and-transitions.6',
    '2.endpoints/did-registry.31',
  ],
  description:
    'What the old key signed while others still learn of the new one has to verify, and what the new one signed as well.',
  sends: 'rollVerificationMethod to a new key that begins now, with an overlap of ten minutes.',
  decides: 'In the middle of the overlap assertionMethod names both keys (valid-at).',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const { old, successor, notBefore, duration } = await rollKey(registry, now())
    const middle = notBefore + duration / 2
    const both = [
      await isListed(registry, old, middle),
      await isListed(registry, successor, middle),
    ]
    expectEqual('whether old and new are valid during the overlap', both, [true, true])
    return held('Both keys are valid in the middle of the overlap')
  },
})

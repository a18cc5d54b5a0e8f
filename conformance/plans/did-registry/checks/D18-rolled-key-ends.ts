import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'
import { rollKey } from '../roll-key.ts'

export const check = defineDidRegistryCheck({
  id: 'D18',
  title: 'A rolled key is not valid after the overlap',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.states-and-transitions.6', '2.endpoints/did-registry.31'],
  description: 'The old key expires by itself; nobody comes back to revoke it.',
  sends: 'rollVerificationMethod to a new key that begins now, with an overlap of ten minutes.',
  decides: 'After the overlap assertionMethod names the new key and not the old one (valid-at).',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const { old, successor, notBefore, duration } = await rollKey(registry, now())
    // Counted from the roll, which is mined a moment later.
    const after = notBefore + duration + 60
    const both = [await isListed(registry, old, after), await isListed(registry, successor, after)]
    expectEqual('whether old and new are valid after the overlap', both, [false, true])
    return held('After the overlap only the new key is valid')
  },
})

import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D52',
  title: 'valid-at: a key is valid up to its notAfter, that second included',
  level: 'practice',
  expectation: 'advice',
  rows: ['2.endpoints/did-registry.2'],
  description:
    'The document says “after which the key stops being valid”: the second itself belongs to the key. Some deployed registries leave it out, so this only warns.',
  sends: 'addVerificationRelationship for a window in the future; GET at both sides of its end.',
  decides: 'assertionMethod names the key at notAfter and does not at notAfter + 1.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const notAfter = now() + 2000
    await addUse(registry, identity, { notBefore: now() + 1000, notAfter })
    const edge = [
      await isListed(registry, identity, notAfter),
      await isListed(registry, identity, notAfter + 1),
    ]
    expectEqual('whether it is valid at notAfter and just after', edge, [true, false])
    return held('The key is valid up to and at its notAfter')
  },
})

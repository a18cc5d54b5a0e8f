import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D51',
  title: 'valid-at: a key is valid from its notBefore on, and not before',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.2'],
  description:
    'A credential that was signed in the very second in which the key began has to verify.',
  sends:
    'addVerificationRelationship for a window in the future; GET at both sides of its beginning.',
  decides: 'assertionMethod does not name the key at notBefore - 1 and does at notBefore.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const notBefore = now() + 1000
    await addUse(registry, identity, { notBefore, notAfter: notBefore + 1000 })
    const edge = [
      await isListed(registry, identity, notBefore - 1),
      await isListed(registry, identity, notBefore),
    ]
    expectEqual('whether it is valid just before and at notBefore', edge, [false, true])
    return held('The key is valid from its notBefore on')
  },
})

import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held, inconclusive } from '../../../kit/finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D15',
  title: 'A key that was revoked as of now is gone from the document',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.10',
    '2.states-and-transitions.4',
    '2.endpoints/did-registry.30',
  ],
  description: 'Whoever stole the key must not sign another credential that verifies.',
  sends: 'revokeVerificationMethod with a notAfter a second ago, for a key in assertionMethod.',
  decides:
    'assertionMethod of the document as it is now does not name the key any more. A registry that takes no notAfter of the past decides nothing.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId } = identity
    await addUse(registry, identity, { notBefore: now() - 3600, notAfter: now() + 86_400 })
    expectEqual('whether it is valid before', await isListed(registry, identity), true)
    const body = { did, vMethodId, notAfter: now() - 1 }
    const { isApplied, told } = await registry.attempt('revokeVerificationMethod', body, identity)
    if (!isApplied) {
      // The document does not say that a notAfter may have passed already.
      return inconclusive(`A revocation as of a second ago ${told}`)
    }
    expectEqual('whether it is valid afterwards', await isListed(registry, identity), false)
    return held('The key is gone from assertionMethod')
  },
})

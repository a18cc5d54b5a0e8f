import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D08',
  title: 'A revoked controller can write no more',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
  description:
    'Whoever leaves an organization must not change its DID afterwards. The body of revokeController is not shown in document 2: the kit sends {did, controller, from}.',
  sends:
    'addController and revokeController for another DID, then updateAlsoKnownAs signed by its key.',
  decides: 'The last write is refused or reverted, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const [identity, second] = [await registry.register(), await registry.register()]
    const { did } = identity
    await registry.write('addController', { did, controller: second.did }, identity)
    await registry.write('revokeController', { did, controller: second.did }, identity)
    return findWriteRefused(registry, {
      what: 'A write by a revoked controller',
      operation: 'updateAlsoKnownAs',
      body: { did, alsoKnownAs: 'urn:oid:1.2.3' },
      signer: second,
      owner: identity,
      did,
    })
  },
})

import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D27',
  title: 'Nobody but a controller or the operator changes alsoKnownAs',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.authentication.1'],
  description: 'With another organization’s identifier in it a DID passes for that organization.',
  sends: 'updateAlsoKnownAs signed by an account that does not control the DID.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    return findWriteRefused(registry, {
      what: 'updateAlsoKnownAs by a stranger',
      operation: 'updateAlsoKnownAs',
      body: { did, alsoKnownAs: 'urn:oid:1.2.3:stolen' },
      signer: registry.createIdentity(),
      owner: identity,
      did,
    })
  },
})

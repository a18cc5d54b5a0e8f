import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D32',
  title: 'An onboarding node does not replace the document of a registered DID',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.28', '2.states-and-transitions.2'],
  description:
    'Authorization is checked against the current controller and not the onboarding list: whoever may register organizations must not take over those that are registered.',
  sends: 'insertDidDocument with another key, signed by the onboarding node.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const thief = registry.createIdentity()
    const { alsoKnownAs, ...body } = registry.firstDocumentOf(thief, { did })
    return findWriteRefused(registry, {
      what: 'insertDidDocument by the onboarding node',
      operation: 'insertDidDocument',
      body,
      signer: registry.onboardingNode,
      owner: identity,
      did,
    })
  },
})

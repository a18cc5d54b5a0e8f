import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D26',
  title: 'A DID is registered once',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.1'],
  description:
    'A second first document would replace what the organization itself has changed since.',
  sends: 'insertFirstDidDocument again for a registered DID, with another alsoKnownAs.',
  decides: 'It is reverted or refused, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    return findWriteRefused(registry, {
      what: 'A second first document',
      operation: 'insertFirstDidDocument',
      body: registry.firstDocumentOf(identity, { alsoKnownAs: 'urn:oid:1.2.3:second' }),
      signer: registry.onboardingNode,
      did: identity.did,
    })
  },
})

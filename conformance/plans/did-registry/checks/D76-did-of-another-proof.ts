import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D76',
  title: 'A DID is not registered with a key that it was not derived from',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.17', '2.endpoints/did-registry.20'],
  description: 'Otherwise a DID that somebody has announced is registered by somebody else first.',
  sends: 'insertFirstDidDocument for the DID of one key, with key and proof of another one.',
  decides: 'It is reverted or refused, and the DID does not resolve.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    // A registry that registers nobody has refused nothing in particular.
    await registry.register()
    const { did } = registry.createIdentity()
    const thief = registry.createIdentity()
    return findWriteRefused(registry, {
      what: 'A first document with the key and proof of another DID',
      operation: 'insertFirstDidDocument',
      body: registry.firstDocumentOf(thief, { did }),
      signer: registry.onboardingNode,
      did,
    })
  },
})

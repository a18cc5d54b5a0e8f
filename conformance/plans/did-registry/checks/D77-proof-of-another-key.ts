import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D77',
  title: 'A DID is not registered with a proof that the key did not make',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.20'],
  description: 'The proof shows that whoever registers the key holds it.',
  sends: 'insertFirstDidDocument with DID and proof of one key, and another public key.',
  decides: 'It is reverted or refused, and the DID does not resolve.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    // A registry that registers nobody has refused nothing in particular.
    await registry.register()
    const identity = registry.createIdentity()
    const { publicKey, vMethodId } = registry.createIdentity()
    return findWriteRefused(registry, {
      what: 'A first document with a proof of another key',
      operation: 'insertFirstDidDocument',
      body: registry.firstDocumentOf(identity, { publicKey, vMethodId }),
      signer: registry.onboardingNode,
      did: identity.did,
    })
  },
})

import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D25',
  title: 'Nobody but an onboarding node registers a DID',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.1', '2.authentication.1', '2.endpoints/did-registry.26'],
  description: 'Otherwise anybody enters the ecosystem, as whomever alsoKnownAs names.',
  sends: 'insertFirstDidDocument, built for, signed and sent by the new key’s own account.',
  decides:
    'It is reverted or refused, and the DID does not resolve, while the onboarding node registers one.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    // A registry that registers nobody has not refused a stranger.
    await registry.register()
    const identity = registry.createIdentity()
    return findWriteRefused(registry, {
      what: 'A first document by an account that is no onboarding node',
      operation: 'insertFirstDidDocument',
      body: registry.firstDocumentOf(identity),
      signer: identity,
      did: identity.did,
    })
  },
})

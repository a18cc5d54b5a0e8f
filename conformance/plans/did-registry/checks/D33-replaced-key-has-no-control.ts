import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D33',
  title: 'A control key that was replaced can write no more',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.28'],
  description: 'The initial control key is rotated because it must not be used any longer.',
  sends: 'insertDidDocument with another key, then updateAlsoKnownAs signed by the replaced one.',
  decides:
    'The second write is reverted or refused, and the document is as before, while the new key may write.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const successor = registry.createIdentity()
    const { alsoKnownAs, ...body } = registry.firstDocumentOf(successor, { did })
    await registry.write('insertDidDocument', body, identity)
    return findWriteRefused(registry, {
      what: 'A write by a replaced control key',
      operation: 'updateAlsoKnownAs',
      body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' },
      signer: identity,
      owner: successor,
      did,
    })
  },
})

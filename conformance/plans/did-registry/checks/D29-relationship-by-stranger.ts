import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D29',
  title: 'Nobody but a controller gives a method a use',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.authentication.1', '2.endpoints/did-registry.13'],
  description: 'With a use in assertionMethod a key signs credentials in the organization’s name.',
  sends: 'addVerificationRelationship signed by an account that does not control the DID.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId } = identity
    const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
    return findWriteRefused(registry, {
      what: 'addVerificationRelationship by a stranger',
      operation: 'addVerificationRelationship',
      body: { did, name: 'assertionMethod', vMethodId, ...validity },
      signer: registry.createIdentity(),
      owner: identity,
      did,
    })
  },
})

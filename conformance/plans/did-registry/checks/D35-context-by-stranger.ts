import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D35',
  title: 'Nobody but a controller replaces the @context',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.authentication.1', '2.endpoints/did-registry.6'],
  description: 'With another @context the members of the document mean something else.',
  sends: 'updateBaseDocument signed by an account that does not control the DID.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const baseDocument = JSON.stringify({ '@context': ['https://example.org/stranger/v1'] })
    return findWriteRefused(registry, {
      what: 'updateBaseDocument by a stranger',
      operation: 'updateBaseDocument',
      body: { did, baseDocument },
      signer: registry.createIdentity(),
      owner: identity,
      did,
    })
  },
})

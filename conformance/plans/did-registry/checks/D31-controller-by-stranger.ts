import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D31',
  title: 'Nobody but a controller adds a controller',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.authentication.1'],
  description:
    'Whoever can add a controller takes the DID over. Deployed registries are laxer here, so this only warns.',
  sends: 'addController with a registered DID of its own, signed by that DID’s account.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const stranger = await registry.register()
    return findWriteRefused(registry, {
      what: 'addController by a stranger',
      operation: 'addController',
      body: { did, controller: stranger.did },
      signer: stranger,
      owner: identity,
      did,
    })
  },
})

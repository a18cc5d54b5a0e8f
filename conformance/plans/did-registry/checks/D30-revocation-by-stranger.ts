import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D30',
  title: 'Nobody but a controller revokes a key',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.authentication.1'],
  description:
    'A stranger who revokes an organization’s keys makes all of its credentials worthless. Deployed registries are laxer here, so this only warns.',
  sends: 'revokeVerificationMethod signed by an account that does not control the DID.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId } = identity
    return findWriteRefused(registry, {
      what: 'revokeVerificationMethod by a stranger',
      operation: 'revokeVerificationMethod',
      body: { did, vMethodId, notAfter: now() - 1 },
      signer: registry.createIdentity(),
      owner: identity,
      did,
    })
  },
})

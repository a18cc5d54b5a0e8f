import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D34',
  title: 'Nobody but a controller rolls a key',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.authentication.1', '2.endpoints/did-registry.12'],
  description: 'A stranger’s key would take over from the organization’s, with all of its uses.',
  sends: 'rollVerificationMethod to a stranger’s key, signed by the stranger.',
  decides:
    'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId: oldVMethodId } = identity
    const stranger = registry.createIdentity()
    const { vMethodId, publicKey } = stranger
    const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
    const validity = { notBefore: now() - 10, notAfter: now() + 3600, duration: 60 }
    return findWriteRefused(registry, {
      what: 'rollVerificationMethod by a stranger',
      operation: 'rollVerificationMethod',
      body: { did, ...key, ...validity, oldVMethodId },
      signer: stranger,
      owner: identity,
      did,
    })
  },
})

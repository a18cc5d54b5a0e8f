import { addMethod } from '../add-method.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D81',
  title: 'A revoked key gets no new use',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.4'],
  description:
    'A compromised key that is given a new use is a compromised key that is valid again.',
  sends: 'revokeVerificationMethod for an added key, then addVerificationRelationship for it.',
  decides: 'The second write is reverted or refused, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did } = identity
    const { publicKey } = registry.createIdentity()
    const vMethodId = await addMethod(registry, identity, {
      publicKeyType: 'secp256k1',
      publicKey,
    })
    const revocation = { did, vMethodId, notAfter: now() - 1 }
    await registry.write('revokeVerificationMethod', revocation, identity)
    const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
    return findWriteRefused(registry, {
      what: 'A new use for a revoked key',
      operation: 'addVerificationRelationship',
      body: { did, name: 'assertionMethod', vMethodId, ...validity },
      signer: identity,
      did,
    })
  },
})

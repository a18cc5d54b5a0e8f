import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D28',
  title: 'Nobody but a controller adds a verification method',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.3', '2.authentication.1'],
  description: 'A key of a stranger’s in the document is the first step to signing in its name.',
  sends: 'addVerificationMethod signed by an account that does not control the DID.',
  decides: 'It is reverted or refused, while the controller’s own is applied.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const stranger = registry.createIdentity()
    const { vMethodId, publicKey } = stranger
    return findWriteRefused(registry, {
      what: 'addVerificationMethod by a stranger',
      operation: 'addVerificationMethod',
      body: { did, vMethodId, publicKeyType: 'secp256k1', publicKey },
      signer: stranger,
      owner: identity,
      did,
    })
  },
})

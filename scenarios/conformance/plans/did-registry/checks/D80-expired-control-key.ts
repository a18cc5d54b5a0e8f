import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D80',
  title: 'A control key that has expired can write no more',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.24', '2.authentication.1'],
  description: 'A key has an end so that losing it later does no harm.',
  sends:
    'A DID is registered with a control key that ended a minute ago; then updateAlsoKnownAs signed by it.',
  decides: 'The write is reverted or refused, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const validity = { notBefore: now() - 3600, notAfter: now() - 60 }
    const identity = await registry.register(validity)
    return findWriteRefused(registry, {
      what: 'A write by an expired control key',
      operation: 'updateAlsoKnownAs',
      body: { did: identity.did, alsoKnownAs: 'urn:oid:1.2.3:late' },
      signer: identity,
      did: identity.did,
    })
  },
})

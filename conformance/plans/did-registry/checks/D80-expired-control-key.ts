import { inconclusive } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D80',
  title: 'A control key that has expired can write no more',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.states-and-transitions.5', '2.endpoints/did-registry.24', '2.authentication.1'],
  description: 'A key has an end so that losing it later does no harm.',
  sends:
    'expireVerificationMethod with a notAfter a minute ago for the only control key; then updateAlsoKnownAs signed by it.',
  decides:
    'The second write is reverted or refused, and the document is as before. A registry that takes no notAfter of the past decides nothing.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId } = identity
    const expiry = { did, vMethodId, notAfter: now() - 60 }
    const { isApplied, told } = await registry.attempt('expireVerificationMethod', expiry, identity)
    if (!isApplied) return inconclusive(`An expiry as of a minute ago ${told}`)
    return findWriteRefused(registry, {
      what: 'A write by an expired control key',
      operation: 'updateAlsoKnownAs',
      body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' },
      signer: identity,
      did,
    })
  },
})

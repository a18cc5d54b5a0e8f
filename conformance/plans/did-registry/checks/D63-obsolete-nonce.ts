import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D63',
  title: 'An obsolete nonce is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4'],
  description:
    'Another transaction of the account came first: the client has to build again, and must not wait for this one.',
  sends: 'Two transactions for one nonce, the second one after the first was mined.',
  decides: 'HTTP 400 for the second one, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const { did } = identity
    const late = await buildUpdate(registry, identity)
    await registry.write('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:oid:1.2.3' }, identity)
    const { raw } = signTransaction(late, identity.privateKey)
    return findSendRefused(registry, { what: 'A transaction with an obsolete nonce', raw, did })
  },
})

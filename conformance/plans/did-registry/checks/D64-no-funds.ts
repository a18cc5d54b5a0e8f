import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D64',
  title: 'A transaction that its signer can’t pay for is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4'],
  description: 'No node takes it, so that it can never be mined.',
  sends:
    'A transaction that was built here, signed with a gas price for an account that has nothing.',
  decides: 'HTTP 400, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const priced = { ...built, gasPrice: '0xde0b6b3a7640000' }
    const { raw } = signTransaction(priced, identity.privateKey)
    const what = 'A transaction without funds for its gas'
    return findSendRefused(registry, { what, raw, did: identity.did })
  },
})

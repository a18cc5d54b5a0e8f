import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D61',
  title: 'A transaction to another address than the registry is refused with 400',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4', '2.resources-and-their-fields/unsigned-transaction.1'],
  description:
    'The registry’s API would be a way into the chain for anything; and a client whose `to` was changed is told that all went well.',
  sends: 'A transaction that was built here, signed for another address.',
  decides: 'HTTP 400, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const to = registry.createIdentity().address
    const { raw } = signTransaction({ ...built, to }, identity.privateKey)
    const what = 'A transaction to another address'
    return findSendRefused(registry, { what, raw, did: identity.did })
  },
})

import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D62',
  title: 'A signature by another key than that of from is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4'],
  description:
    'Whoever signed with the wrong key is told so at once, and not by a receipt that says reverted.',
  sends: 'A transaction that was built for a DID’s controller, signed by another key.',
  decides:
    'HTTP 400, and the document is as before. A transaction that is mined and reverted instead is a warning, as what is sent does not name from.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const stranger = registry.createIdentity()
    const built = await buildUpdate(registry, identity)
    const { raw } = signTransaction({ ...built, from: stranger.address }, stranger.privateKey)
    const what = 'A signature by another key than that of from'
    return findSendRefused(registry, { what, raw, did: identity.did, revertedLevel: 'practice' })
  },
})

import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D60',
  title: 'A transaction for another chain is refused with 400',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4'],
  clauses: ['EIP-155, Specification'],
  description: 'It can never be mined here; a client that gets a hash for it waits for ever.',
  sends: 'A transaction that was built here, signed for the next chain id.',
  decides: 'HTTP 400, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const chainId = `0x${(BigInt(built.chainId) + 1n).toString(16)}`
    const { raw } = signTransaction({ ...built, chainId }, identity.privateKey)
    const what = 'A transaction for another chain'
    return findSendRefused(registry, { what, raw, did: identity.did })
  },
})

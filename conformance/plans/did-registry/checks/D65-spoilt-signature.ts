import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { findSendRefused } from '../find-send-refused.ts'

export const check = defineDidRegistryCheck({
  id: 'D65',
  title: 'A signature that no key made is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.4'],
  clauses: ['EIP-2, Specification 2'],
  description: 'It proves nothing about who signed.',
  sends: 'A signed transaction whose s is replaced by a number beyond the curve’s order.',
  decides: 'HTTP 400, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const signed = signTransaction(built, identity.privateKey).raw
    const raw = `${signed.slice(0, -64)}${'f'.repeat(64)}`
    const what = 'A transaction with a spoilt signature'
    return findSendRefused(registry, { what, raw, did: identity.did })
  },
})

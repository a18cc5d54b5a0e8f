import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { hashOfTransaction } from '../../registries/hash-of-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D68',
  title: 'tx_hash is the hash of the transaction that was sent',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.32',
    '2.endpoints/did-registry.14',
    '2.states-and-transitions.8',
  ],
  description: 'By it the client finds the transaction at any chain node.',
  sends: 'A change, signed as a legacy transaction.',
  decides:
    'tx_hash is Keccak-256 of the raw transaction, and the receipt, where it is there already, has status 1.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const { raw } = signTransaction(built, identity.privateKey)
    const { tx_hash: hash, receipt } = await requireSent(registry, raw, [200, 206])
    expectEqual('tx_hash', hash.toLowerCase(), hashOfTransaction(raw))
    expectEqual('status of the receipt', receipt?.status ?? 1, 1)
    return held('tx_hash is the hash of the transaction')
  },
})

import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { hashOfTransaction } from '../../registries/hash-of-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D20',
  title: 'A transaction that is not mined yet is answered with 206 and no receipt',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '2.endpoints/did-registry.14',
    '2.endpoints/did-registry.32',
    '2.states-and-transitions.10',
    '2.errors/did-registry.3',
  ],
  description:
    'A client that takes a pending transaction for an applied one goes on with what is not there yet.',
  sends: 'A signed transaction while no block is mined.',
  decides: 'HTTP 206 with receipt null and the hash of the transaction as tx_hash.',
  needs: ['onboarding-node', 'mining'],
  async run({ registry, mining }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const { raw } = signTransaction(built, identity.privateKey)
    await mining.hold()
    const { tx_hash: hash, receipt } = await requireSent(registry, raw, [206])
    expectEqual('receipt', receipt, null)
    expectEqual('tx_hash', hash.toLowerCase(), hashOfTransaction(raw))
    return held('HTTP 206 with the hash of the transaction and receipt null')
  },
})

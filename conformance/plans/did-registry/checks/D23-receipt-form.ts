import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import {
  expectEqual,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { hashOfTransaction } from '../../registries/hash-of-transaction.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D23',
  title: 'The receipt has the documented members',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.resources-and-their-fields/transaction-receipt.1'],
  description: 'Clients decide by status, look for the block, and store hash and gas.',
  sends: 'A write that is applied.',
  decides:
    'All members that the document shows are there: status 1, contractAddress null as it is a call, and the hash of the transaction.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const { raw } = signTransaction(built, identity.privateKey)
    const { receipt } = await requireSent(registry, raw, [200])
    const found = expectPresent('the receipt', receipt) as Record<string, unknown>
    for (const member of ['_type', 'blockNumber', 'cumulativeGasUsed', 'gasUsed', 'index']) {
      expectPresent(`${member} of the receipt`, found[member])
    }
    expectEqual('status', found.status, 1)
    expectMatch('blockHash', found.blockHash, /^0x[0-9a-f]{64}$/i)
    expectEqual('contractAddress', found.contractAddress, null)
    expectEqual('hash', String(found.hash).toLowerCase(), hashOfTransaction(raw))
    expectEqual('from', String(found.from).toLowerCase(), identity.address.toLowerCase())
    expectEqual('to', String(found.to).toLowerCase(), built.to.toLowerCase())
    expectTrue('logs is a list', Array.isArray(found.logs), found.logs)
    return held('The receipt has all documented members')
  },
})

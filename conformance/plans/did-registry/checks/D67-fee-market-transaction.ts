import { signTypedTransaction } from '#core/ethereum/sign-typed-transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D67',
  title: 'A typed transaction 0x02 is taken',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.14'],
  clauses: ['EIP-1559, Specification'],
  description: 'It is what today’s libraries write where nobody tells them otherwise.',
  sends: 'A change, signed as a transaction of type 0x02.',
  decides: 'It is mined with status 1.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const built = await buildUpdate(registry, identity)
    const { raw } = signTypedTransaction(built, 2, identity.privateKey)
    const { receipt } = await requireSent(registry, raw, [200])
    expectEqual('status of the receipt', receipt?.status, 1)
    return held('The transaction of type 0x02 was taken')
  },
})

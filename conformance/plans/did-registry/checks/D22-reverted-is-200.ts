import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { asPremise } from '../../../kit/as-premise.ts'
import { held } from '../../../kit/finding.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D22',
  title: 'A reverted transaction is answered with 200 and receipt status 0',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.states-and-transitions.9',
    '2.resources-and-their-fields/transaction-receipt.1',
    '2.endpoints/did-registry.32',
  ],
  description:
    'It was mined, and the client has to see from the receipt that it changed nothing; a 400 would say that it was never sent, so that the nonce seems free.',
  sends:
    'updateAlsoKnownAs of a DID, built for, signed and sent by an account that does not control it.',
  decides: 'HTTP 200, status 0 in the receipt, and the document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const { did } = await registry.register()
    const stranger = registry.createIdentity()
    const before = await registry.requireDocument(did)
    const what = 'Building a transaction for whoever asks'
    const built = await asPremise(what, buildUpdate(registry, { ...stranger, did }))
    const { raw } = signTransaction(built, stranger.privateKey)
    const { receipt } = await requireSent(registry, raw, [200])
    expectEqual('status of the receipt', receipt?.status, 0)
    expectEqual('the document', await registry.requireDocument(did), before)
    return held('HTTP 200 with status 0, and the document is as before')
  },
})

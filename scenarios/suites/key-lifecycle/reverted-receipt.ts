import { signTransaction } from '#core/ethereum/transaction.ts'
import { createOwnIdentity, firstDocumentOf } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
  readReceipt,
} from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/reverted-receipt',
  title: 'A transaction that the contract refuses is answered 200 with status 0, and says why',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
Somebody who is no onboarding node has a first DID document built, which never fails for lack of
authority, signs it and sends it. The transaction is mined and reverts:

- the send endpoint answers 200, its receipt has status 0 and the contract's error by name,
- the chain node's receipt has status \`0x0\` and the \`revertReason\`,
- the testbed explains the transaction by the same name,
- nobody can resolve the DID.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 9' },
    { document: 'Document 2', section: 'Transaction receipt (returned by the send endpoint)' },
    { document: 'Assumptions', section: 'A-02, A-10, A-37' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, control } = context
    const own = createOwnIdentity(context)
    const { didRegistry } = openRegistries(context)
    const error = 'DidRegistryNotOnboardingNode'

    const hash = await step('It is sent, mined, and reverted by name', async () => {
      const body = { ...firstDocumentOf(context, own), from: own.address }
      const unsigned = await didRegistry.build('insertFirstDidDocument', body)
      const json = { signedRawTransaction: signTransaction(unsigned, own.privateKey).raw }
      const answer = expectJson(await callDidRegistry(context, 'transactions/send', { json }), 200)
      const receipt = answer.receipt as Record<string, unknown>
      const { name, args } = receipt.revertError as { name: string; args: unknown[] }
      expectIncludes('the receipt', receipt, {
        _type: 'TransactionReceipt',
        status: 0,
        hash: answer.tx_hash,
        from: own.address,
        contractAddress: null,
        logs: [],
      })
      expectEqual('the error', { name, args }, { name: error, args: [own.address] })
      return String(answer.tx_hash)
    })
    await step('The chain node says the same', async () => {
      const receipt = await readReceipt(context, hash)
      expectEqual('the status', receipt?.status, '0x0')
      expectMatch('revertReason', receipt?.revertReason, /^0x[0-9a-f]{8,}$/)
    })
    await step('The testbed explains it', async () => {
      const { revertReason } = await control.readTransaction(hash)
      expectEqual('the reason', (revertReason as { name?: string }).name, error)
    })
    await step('Nobody can resolve the DID', async () => {
      const path = `identifiers/${encodeURIComponent(own.did)}`
      expectRegistryRefusal(await callDidRegistry(context, path), 404)
    })
  },
})

import { signTransaction } from '#core/ethereum/transaction.ts'
import { createOwnIdentity, firstDocumentOf, registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
  readReceipt,
} from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { eventually } from '#scenarios/harness/waiting.ts'

const heldBlock = defineScenario({
  id: 'key-lifecycle/held-block',
  title: 'While no block is mined, the registry returns 206, and the change appears with the block',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The chain holds its blocks back. The registry sends the transaction and waits a while for the receipt.
Then it returns **206** with the hash, which is already valid, and a \`null\` receipt. The document is
unchanged.

According to the profile a client reads the DID again after about five seconds. Here the block is mined
immediately, and the change is visible.`,
  references: cite(
    'Profile: 2.states-and-transitions.10',
    'Profile: 2.endpoints/did-registry',
    'Assumptions: A-12, A-37',
  ),
  needs: ['mining'],

  async run(context) {
    const { step, control, signal } = context
    const { didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did } = own
    const changed = ['urn:example:held']
    const namesOf = async () =>
      expectPresent('the document', await didRegistry.resolve(did)).alsoKnownAs
    const body = { did, alsoKnownAs: changed[0], from: own.address }
    try {
      await control.setMining('manual')
      const hash = await step('It sends an update while blocks are held back: 206', async () => {
        const unsigned = await didRegistry.build('updateAlsoKnownAs', body)
        const json = { signedRawTransaction: signTransaction(unsigned, own.privateKey).raw }
        const answer = await callDidRegistry(context, 'transactions/send', { json })
        const { tx_hash, receipt } = expectJson(answer, 206)
        expectEqual('the receipt', receipt, null)
        return String(tx_hash)
      })
      await step('The document is unchanged', async () => {
        expectEqual('the receipt at the chain node', await readReceipt(context, hash), null)
        expectTrue('the change is not visible', (await namesOf())?.[0] !== changed[0])
      })
      await step('The block is mined, and the change is visible', async () => {
        const mined = await control.mineBlock()
        expectTrue('the transaction is in the block', mined.includes(hash), mined)
        const ask = async () => ((await namesOf())?.[0] === changed[0] ? true : undefined)
        await eventually('the change', ask, { signal })
        const receipt = expectPresent('its receipt', await readReceipt(context, hash))
        expectIncludes('its receipt', receipt, { status: '0x1' })
      })
    } finally {
      await control.setMining('auto')
    }
    await step('Afterwards an update is answered with 200 again', async () => {
      const unsigned = await didRegistry.build('updateAlsoKnownAs', body)
      const { state } = await didRegistry.send(signTransaction(unsigned, own.privateKey).raw)
      expectEqual('the transaction', state, 'applied')
    })
  },
})

const revertedReceipt = defineScenario({
  id: 'key-lifecycle/reverted-receipt',
  title:
    'For a transaction that the contract rejects, the registry returns 200, status 0 and the reason',
  algorithms: ['EdDSA'],
  description: `
A client that is not an onboarding node has a first DID document built, which never fails for lack of
authority. It signs the transaction and sends it. The transaction is mined and reverts:

- the send endpoint returns 200, and its receipt has status 0 and the name of the contract's error,
- the chain node's receipt has status \`0x0\` and the \`revertReason\`,
- the testbed explains the transaction with the same name,
- the DID cannot be resolved.`,
  references: cite(
    'Profile: 2.states-and-transitions.9',
    'Profile: 2.resources-and-their-fields/transaction-receipt',
    'Assumptions: A-02, A-10, A-37',
  ),
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
    await step('The chain node reports the same', async () => {
      const receipt = await readReceipt(context, hash)
      expectEqual('the status', receipt?.status, '0x0')
      expectMatch('revertReason', receipt?.revertReason, /^0x[0-9a-f]{8,}$/)
    })
    await step('The testbed explains it', async () => {
      const { revertReason } = await control.readTransaction(hash)
      expectEqual('the reason', (revertReason as { name?: string }).name, error)
    })
    await step('The DID cannot be resolved', async () => {
      const path = `identifiers/${encodeURIComponent(own.did)}`
      expectRegistryRefusal(await callDidRegistry(context, path), 404)
    })
  },
})

export const scenarios = [heldBlock, revertedReceipt]

import { z } from 'zod'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { pollUntil } from '#scenarios/harness/waiting.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { hashOfTransaction } from '../../registries/chain-receipts.ts'
import type {
  DidRegistryUnderTest,
  FreshIdentity,
} from '../../registries/did-registry-under-test.ts'
import { signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { isListed } from '../operations.ts'
import { requireSent, writeWithReceipt } from '../send.ts'

type Members = Readonly<Record<string, unknown>>

const zNodeReceipt = z.looseObject({ logs: z.array(z.looseObject({})) })

/** Members of receipts at the chain node, by their names in the registry's. */
const namesAtNode: Readonly<Record<string, string>> = {
  hash: 'transactionHash',
  index: 'transactionIndex',
}
const logNamesAtNode: Readonly<Record<string, string>> = { index: 'logIndex' }

const numbers = new Set([
  'blockNumber',
  'cumulativeGasUsed',
  'gasUsed',
  'index',
  'status',
  'transactionIndex',
])

/** A value in one spelling: numbers in decimal, hex in lower case. */
function spell(name: string, value: unknown): unknown {
  if (numbers.has(name) && (typeof value === 'string' || typeof value === 'number')) {
    return /^(0x[0-9a-f]+|\d+)$/i.test(String(value)) ? BigInt(value).toString() : value
  }
  if (Array.isArray(value)) return value.map((each) => spell(name, each))
  return typeof value === 'string' ? value.toLowerCase() : value
}

/** The named members of a receipt or log of the registry and of the node, in one spelling. */
function compare(
  what: string,
  [own, node]: readonly [Members, Members],
  members: readonly string[],
  names: Readonly<Record<string, string>>,
): void {
  const read = (of: Members, nameOf: (name: string) => string) =>
    Object.fromEntries(members.map((name) => [name, spell(name, of[nameOf(name)])]))
  const expected = read(node, (name) => names[name] ?? name)
  expectEqual(
    what,
    read(own, (name) => name),
    expected,
  )
}

type AskNode = DidRegistryContext['askNode']

async function readNodeReceipt(askNode: AskNode, hash: string) {
  const found = zNodeReceipt.safeParse(await askNode('eth_getTransactionReceipt', [hash]))
  if (found.success) return found.data
  endCheck(inconclusive(`The chain node has no receipt of ${hash}`))
}

/** Compares a receipt of the registry and its logs with those of the node. */
function compareReceipts(receipt: Members, atNode: z.infer<typeof zNodeReceipt>): void {
  const members = 'blockHash blockNumber contractAddress cumulativeGasUsed from to gasUsed'
  const optional = Object.hasOwn(receipt, 'revertReason') ? ['revertReason'] : []
  const all = [...members.split(' '), 'hash', 'index', 'status', ...optional]
  compare('the receipt', [receipt, atNode], all, namesAtNode)
  expectEqual('_type', receipt._type, 'TransactionReceipt')
  const logs = z.array(z.looseObject({})).parse(receipt.logs)
  expectEqual('number of logs', logs.length, atNode.logs.length)
  for (const [at, log] of logs.entries()) {
    expectEqual('_type of a log', log._type, 'log')
    const required = ['address', 'topics', 'blockNumber']
    const more = ['blockHash', 'data', 'index', 'transactionHash', 'transactionIndex']
    const given = [...required, ...more.filter((name) => Object.hasOwn(log, name))]
    compare('a log', [log, atNode.logs[at] ?? {}], given, logNamesAtNode)
  }
}

/** Signs updateAlsoKnownAs with the next nonce, and returns the raw transaction and the nonce. */
async function signUpdate(
  { client }: DidRegistryUnderTest,
  { did, address: from, privateKey }: FreshIdentity,
  alsoKnownAs: string,
) {
  const built = await client.build('updateAlsoKnownAs', { did, alsoKnownAs, from })
  return { nonce: Number(built.nonce), raw: signTyped(built, privateKey) }
}

/** A registry may reject building what the chain would revert now. */
function undefinedIfRefused(error: unknown): undefined {
  if (!isTestbedError(error) || error.code !== 'registry_refused') throw error
}

export const checks = defineChecks<DidRegistryContext>({
  'D113-receipt-as-at-the-node': {
    title: 'The receipt and its logs have the values of the chain node',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.resources-and-their-fields/transaction-receipt.1'],
    description:
      'A client compares block, hash and logs with what any other node says. If they differ, it cannot trust either.',
    sends:
      'insertFirstDidDocument and, unless the registry refuses to build it, a write that reverts; then eth_getTransactionReceipt.',
    decides:
      'Each documented member of both receipts has the value of the node, in any spelling; _type is TransactionReceipt, and log in logs.',
    fix: 'Copy each member of the receipt from eth_getTransactionReceipt of the chain node, and only change its spelling. Set _type to TransactionReceipt, and to log in each of the logs.',
    needs: ['onboarding-node', 'chain'],
    async run({ registry, askNode }) {
      const [identity, outsider] = [registry.createIdentity(), registry.createIdentity()]
      const first = registry.firstDocumentOf(identity)
      const forbidden = { did: identity.did, alsoKnownAs: 'urn:oid:1.2.3:stolen' }
      const { onboardingNode } = registry
      const registering = writeWithReceipt(
        registry,
        'insertFirstDidDocument',
        first,
        onboardingNode,
      )
      const receipts = [
        await registering,
        await writeWithReceipt(registry, 'updateAlsoKnownAs', forbidden, outsider).catch(
          undefinedIfRefused,
        ),
      ]
      for (const receipt of receipts.filter((each) => each !== undefined)) {
        compareReceipts(receipt, await readNodeReceipt(askNode, String(receipt.hash)))
      }
      return held('The receipts have the values of the chain node')
    },
  },
  'D138-transactions-in-one-block': {
    title: 'Each of three transactions in one block has its own receipt and effect',
    level: 'practice',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.32',
      '2.states-and-transitions.8',
      '2.states-and-transitions.9',
      '2.resources-and-their-fields/transaction-receipt.1',
    ],
    description:
      'On a quiet chain each block has one transaction. A registry that reads the first receipt, or all logs, of the block reports the result of another organization as soon as two write at the same time.',
    sends:
      'Three updateAlsoKnownAs while no block is mined, the second one by an account that does not control the DID; then mining resumes.',
    decides:
      'Each response has the hash of its transaction. If the response has a receipt, its members and logs have the values of the chain node for this transaction. Both valid changes are in their documents.',
    fix: 'Find the receipt and its logs by the hash of the transaction (eth_getTransactionReceipt), not by its block, and copy its index.',
    needs: ['onboarding-node', 'chain', 'mining'],
    async run({ registry, askNode, mining, signal }) {
      const [one, other] = [await registry.register(), await registry.register()]
      const outsider = { ...registry.createIdentity(), did: one.did }
      const prepared: string[] = []
      for (const owner of [one, outsider, other]) {
        // A registry may reject building what the chain would revert now.
        const building = signUpdate(registry, owner, `urn:x:${owner.address}`)
        prepared.push((await asPremise('building for each account (see D02)', building)).raw)
      }
      await mining.hold()
      const sending = Promise.all(prepared.map((raw) => requireSent(registry, raw, [200, 206])))
      sending.catch(() => {})
      const hashes = prepared.map(hashOfTransaction)
      const askEach = (method: string) =>
        pollUntil({
          ask: () => Promise.all(hashes.map((hash) => askNode(method, [hash]))),
          isDone: (answers) => answers.every((answer) => answer !== null),
          limitMilliseconds: 10_000,
          signal,
        })
      await askEach('eth_getTransactionByHash')
      await mining.mine()
      const sent = await sending
      expectEqual(
        'tx_hash',
        sent.map(({ tx_hash }) => tx_hash.toLowerCase()),
        hashes,
      )
      await askEach('eth_getTransactionReceipt')
      const atNode = await Promise.all(hashes.map((hash) => readNodeReceipt(askNode, hash)))
      if (new Set(atNode.map(({ blockHash }) => blockHash)).size > 1) {
        return inconclusive('The chain did not mine the transactions in one block')
      }
      const answered = sent.filter(({ receipt }) => receipt !== null)
      for (const [at, { receipt }] of sent.entries()) {
        if (receipt !== null) compareReceipts(receipt, atNode[at] ?? { logs: [] })
      }
      for (const { did, address } of [one, other]) {
        const { alsoKnownAs } = await registry.requireDocument(did)
        expectEqual('alsoKnownAs', alsoKnownAs, [`urn:x:${address}`])
      }
      return held(
        `${answered.length} of 3 responses have a receipt, and each is that of its transaction`,
      )
    },
  },
  'D114-receipt-of-a-mined-transaction': {
    title: 'A transaction that is mined immediately is answered with its receipt',
    level: 'practice',
    expectation: 'advice',
    rows: ['2.endpoints/did-registry.32', '2.states-and-transitions.8'],
    description:
      'A registry that always returns 206 makes each client wait and resolve, and no client learns that its write reverted.',
    sends: 'Three writes; after a 206, eth_getTransactionReceipt immediately.',
    decides:
      'Not all three responses are a 206 while the chain node has the receipt. On a slower chain the check is inconclusive.',
    fix: 'Ask the chain node for the receipt before you answer transactions/send, and again for a short time. Return 206 only if there is none.',
    needs: ['onboarding-node', 'chain'],
    async run({ registry, askNode }) {
      const identity = await registry.register()
      for (const at of [1, 2, 3]) {
        const { raw } = await signUpdate(registry, identity, `urn:oid:1.2.3:${at}`)
        const { receipt } = await requireSent(registry, raw, [200, 206])
        if (receipt !== null) return held('The response has the receipt')
        const mined = await askNode('eth_getTransactionReceipt', [hashOfTransaction(raw)])
        if (mined === null || mined === undefined) {
          return inconclusive('The chain is slower than the registry waits')
        }
      }
      return broken(
        'Three transactions were answered with 206 although the node had the receipts',
        {
          verdictSource: 'HTTP status of transactions/send',
          expected: 'HTTP 200 with the receipt',
          actual: 206,
        },
      )
    },
  },
  'D115-nonces': {
    title:
      'The nonce counts the transactions of the account, including those that are not mined yet',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.resources-and-their-fields/unsigned-transaction.6'],
    description:
      'An organization sends two writes in a row: with the nonce of the first one, the second replaces it or is rejected.',
    sends:
      'updateAlsoKnownAs three times, the first mined, the others while no block is mined; then mining resumes. The same with addVerificationMethod and addVerificationRelationship for the new key.',
    decides:
      'The nonces are consecutive from 0, the last alsoKnownAs is applied, and the new key is in assertionMethod. The registry may reject building the relationship before the key is mined.',
    fix: 'Read the nonce for each build with eth_getTransactionCount and the block pending. If the gas estimate reverts, use a gas limit that is high enough.',
    needs: ['onboarding-node', 'mining'],
    async run({ registry, mining, now }) {
      const identity = await registry.register()
      const send = async (alsoKnownAs: string, statuses: readonly number[]) => {
        const { nonce, raw } = await signUpdate(registry, identity, alsoKnownAs)
        await requireSent(registry, raw, statuses)
        return nonce
      }
      const mined = await send('urn:oid:1.2.3:0', [200])
      await mining.hold()
      const pending = [await send('urn:oid:1.2.3:1', [206]), await send('urn:oid:1.2.3:2', [206])]
      await mining.mine()
      expectEqual('the nonces', [mined, ...pending], [0, 1, 2])
      // It is mined after the others, since it has the last nonce.
      expectEqual('the next nonce', await send('urn:oid:1.2.3:3', [200]), 3)
      const { alsoKnownAs } = await registry.requireDocument(identity.did)
      expectEqual('alsoKnownAs', alsoKnownAs, ['urn:oid:1.2.3:3'])
      const { did, address: from, privateKey } = identity
      const { vMethodId, publicKey } = registry.createIdentity()
      const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
      const bodies = {
        addVerificationMethod: { vMethodId, publicKeyType: 'secp256k1', publicKey },
        addVerificationRelationship: { vMethodId, name: 'assertionMethod', ...validity },
      }
      await mining.hold()
      let unmined = 0
      for (const [operation, body] of Object.entries(bodies)) {
        const building = registry.client.build(operation, { did, ...body, from })
        const built = await building.catch(undefinedIfRefused)
        if (built === undefined) break
        await requireSent(registry, signTyped(built, privateKey), [206])
        unmined += 1
      }
      await mining.mine()
      await send('urn:oid:1.2.3:4', [200])
      if (unmined === 2) {
        const isUsable = await isListed(registry, { did, vMethodId })
        expectEqual('whether assertionMethod has the new key', isUsable, true)
      }
      return held('The nonces are consecutive, with and without pending transactions')
    },
  },
})

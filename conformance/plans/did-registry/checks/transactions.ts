import { isDeepStrictEqual } from 'node:util'
import { signTransaction, signTypedTransaction } from '#core/ethereum/transaction.ts'
import {
  expectEqual,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { pollUntil } from '#scenarios/harness/waiting.ts'
import { broken, type CheckRow, defineChecks, held } from '../../../kit/check.ts'
import { asPremise, requireAnswer } from '../../../kit/classify-answer.ts'
import { hashOfTransaction } from '../../registries/chain-receipts.ts'
import { signTyped } from '../../registries/raw-transactions.ts'
import type { DidRegistryContext } from '../context.ts'
import { buildUpdate } from '../operations.ts'
import { readSent, requireApplied, requireSent } from '../send.ts'

export const checks = defineChecks<DidRegistryContext>({
  'D20-pending-is-206': {
    title: 'A transaction that is not mined yet returns 206 without a receipt',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.14',
      '2.endpoints/did-registry.32',
      '2.states-and-transitions.10',
      '2.errors/did-registry.3',
    ],
    description:
      'A client that mistakes a pending transaction for an applied one continues with data that does not exist yet.',
    sends: 'A signed transaction while no block is mined.',
    decides: 'HTTP 206 with receipt null and the hash of the transaction as tx_hash.',
    fix: 'Return 206 from transactions/send, with receipt null and tx_hash, if there is no receipt yet. Do not invent a receipt, and do not wait for the block without a limit.',
    needs: ['onboarding-node', 'mining'],
    async run({ registry, mining }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const raw = signTyped(built, identity.privateKey)
      await mining.hold()
      // If it fails with HTTP 500, the check is repeated and registers again. If mining does not
      // resume, the next check reports that.
      const sending = requireSent(registry, raw, [206]).finally(() => mining.mine().catch(() => {}))
      const { tx_hash: hash, receipt } = await sending
      expectEqual('receipt', receipt, null)
      expectEqual('tx_hash', hash.toLowerCase(), hashOfTransaction(raw))
      return held('HTTP 206 with the hash of the transaction and receipt null')
    },
  },
  'D143-pending-sent-again': {
    title: 'A pending transaction can be sent again',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.32', '2.errors/did-registry.7'],
    description:
      'A client whose connection ended sends the same bytes again. Nodes report that they know the transaction, which is not an error of the network.',
    sends:
      'A signed transaction twice while no block is mined, then another one with the same nonce.',
    decides:
      'The second response is HTTP 206 with the same tx_hash, or HTTP 400; the third one is HTTP 206 or 400.',
    fix: 'If the node reports that it knows the transaction already, return 206 with its hash, not 500. If it reports that another one has its nonce (underpriced), return 400.',
    needs: ['onboarding-node', 'mining'],
    async run({ registry, mining }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const other = await buildUpdate(registry, identity, 'urn:oid:1.2.3:other')
      const [raw, replacing] = [built, { ...other, nonce: built.nonce }].map((unsigned) =>
        signTyped(unsigned, identity.privateKey),
      ) as [string, string]
      const send = (signedRawTransaction: string) =>
        registry.post('transactions/send', { signedRawTransaction })
      await mining.hold()
      const sending = send(raw).then(async (first) => {
        await asPremise('sending it (see D20)', (async () => readSent(first, [206]))())
        return [await send(raw), await send(replacing)] as const
      })
      const [again, third] = await sending.finally(() => mining.mine().catch(() => {}))
      if (again.status !== 400) {
        const { tx_hash: hash } = readSent(again, [200, 206])
        expectEqual('tx_hash', hash.toLowerCase(), hashOfTransaction(raw))
      }
      requireAnswer(third, 'Another transaction with the same nonce', [206, 400])
      return held('Both were answered with HTTP 206 or 400')
    },
  },
  'D21-pending-shows-once-mined': {
    title: 'A change is visible once its transaction is mined, and not before',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.33', '2.states-and-transitions.8'],
    description:
      'After a 206 a client reads the DID to learn whether the change was mined: a registry that shows pending changes reports a change that may never happen.',
    sends: 'A signed transaction while no block is mined; then mining resumes.',
    decides:
      'alsoKnownAs has the old value before the block and the new value within ten seconds afterwards.',
    fix: 'Read documents at the latest block of the chain, not at the pending one, and show a change within ten seconds after its block.',
    needs: ['onboarding-node', 'mining'],
    async run({ registry, mining, signal }) {
      const identity = await registry.register()
      const before = await registry.requireDocument(identity.did)
      const built = await buildUpdate(registry, identity)
      await mining.hold()
      await requireSent(registry, signTyped(built, identity.privateKey), [206])
      const waiting = await registry.requireDocument(identity.did)
      expectEqual(
        'alsoKnownAs while the change is pending',
        waiting.alsoKnownAs,
        before.alsoKnownAs,
      )
      await mining.mine()
      const changed = ['urn:oid:1.2.3:changed']
      const mined = await pollUntil({
        ask: () => registry.requireDocument(identity.did),
        isDone: ({ alsoKnownAs }) => isDeepStrictEqual(alsoKnownAs, changed),
        limitMilliseconds: 10_000,
        signal,
      })
      expectEqual('alsoKnownAs once it is mined', mined.alsoKnownAs, changed)
      return held('The change is visible once it is mined, and not before')
    },
  },
  'D22-reverted-is-200': {
    title: 'A reverted transaction returns 200 with receipt status 0',
    level: 'spec',
    expectation: 'refuse',
    rows: [
      '2.states-and-transitions.9',
      '2.resources-and-their-fields/transaction-receipt.1',
      '2.endpoints/did-registry.32',
    ],
    description:
      'It was mined, and the receipt must show the client that it changed nothing; a 400 would mean that it was never sent and that the nonce is still free.',
    sends:
      'updateAlsoKnownAs of a DID, built for, signed and sent by an account that does not control it.',
    decides: 'HTTP 200, status 0 and no logs in the receipt, and the document is unchanged.',
    fix: 'Return 200 and the receipt if the transaction is mined, even if it reverted and status is 0. Return 400 only for a transaction that you do not send.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const { did } = await registry.register()
      const outsider = registry.createIdentity()
      const before = await registry.requireDocument(did)
      const what = 'building a transaction for an unauthorized account'
      const built = await asPremise(what, buildUpdate(registry, { ...outsider, did }))
      const raw = signTyped(built, outsider.privateKey)
      const { receipt } = await requireSent(registry, raw, [200])
      expectEqual('status of the receipt', receipt?.status, 0)
      expectEqual('logs of the receipt', receipt?.logs, [])
      expectEqual('the document', await registry.requireDocument(did), before)
      return held('HTTP 200 with status 0, and the document is unchanged')
    },
  },
  'D23-receipt-form': {
    title: 'The receipt has the documented members',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.resources-and-their-fields/transaction-receipt.1'],
    description: 'Clients evaluate the status, look up the block, and store hash and gas.',
    sends: 'A valid write.',
    decides:
      'All documented members are present: status 1, contractAddress null because it is a call, the hash of the transaction, and gas within its limit.',
    fix: 'Return _type, blockHash, blockNumber, contractAddress, cumulativeGasUsed, from, to, gasUsed, hash, index, logs and status. contractAddress is null, and status is the number 1.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const raw = signTyped(built, identity.privateKey)
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
      const [gasUsed, cumulative] = [Number(found.gasUsed), Number(found.cumulativeGasUsed)]
      const gas = { gasUsed, cumulativeGasUsed: cumulative, gasLimit: Number(built.gasLimit) }
      const isConsistent = gasUsed > 0 && gasUsed <= cumulative && gasUsed <= gas.gasLimit
      expectTrue('gasUsed is within cumulativeGasUsed and gasLimit', isConsistent, gas)
      expectTrue('blockNumber is positive', Number(found.blockNumber) > 0, found.blockNumber)
      expectTrue('index is a position', Number(found.index) >= 0, found.index)
      return held('The receipt has all documented members')
    },
  },
  'D24-event-in-receipt': {
    title: 'The receipt of a change has the event’s log, with a topic hash of 32 bytes',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.events.1', '2.resources-and-their-fields/transaction-receipt.1'],
    description:
      'The API does not push events: clients that follow the registry find them in the logs.',
    sends: 'addVerificationMethod, which emits VerificationMethodAdded.',
    decides:
      'logs contains an entry whose topics[0] is 32 bytes of hex. Each entry has _type, the address of the contract, and the blockNumber of the receipt.',
    fix: 'Emit VerificationMethodAdded in the contract, and return it in logs of the receipt, with topics as 0x-hex of 32 bytes.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { vMethodId, publicKey } = registry.createIdentity()
      const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
      const body = { did: identity.did, ...key, from: identity.address }
      const built = await registry.client.build('addVerificationMethod', body)
      const raw = signTyped(built, identity.privateKey)
      const { receipt } = await requireSent(registry, raw, [200])
      const logs = [receipt?.logs].flat() as readonly { readonly topics?: readonly string[] }[]
      const named = logs.filter((log) => /^0x[0-9a-f]{64}$/i.test(String(log?.topics?.[0])))
      expectTrue('a log has a topics[0] of 32 bytes', named.length > 0, receipt?.logs)
      for (const log of logs as readonly Record<string, unknown>[]) {
        expectPresent('_type of a log', log._type)
        expectEqual('address of a log', String(log.address).toLowerCase(), built.to.toLowerCase())
        expectEqual('blockNumber of a log', Number(log.blockNumber), Number(receipt?.blockNumber))
      }
      return held('The log of the event is in the receipt')
    },
  },
  'D66-access-list-transaction': {
    title: 'A typed transaction 0x01 is accepted',
    level: 'spec',
    clauses: ['EIP-2930, Specification'],
    description:
      'The document mentions the prefix: signers that only create typed transactions need it.',
    fix: 'Decode transactions of type 0x01 (EIP-2930), whose first byte is the type. Accept them.',
    ...accepts(1),
  },
  'D67-fee-market-transaction': {
    title: 'A typed transaction 0x02 is accepted',
    level: 'spec',
    clauses: ['EIP-1559, Specification'],
    description: 'Current libraries create this type by default.',
    fix: 'Decode transactions of type 0x02 (EIP-1559), whose first byte is the type. Accept them.',
    ...accepts(2),
  },
  'D139-legacy-transaction': {
    title: 'A legacy transaction is accepted',
    level: 'practice',
    clauses: ['EIP-155, Specification'],
    description:
      'Many signers make a legacy transaction of a gasPrice. The profile names only typed ones, so the other checks send these.',
    fix: 'Decode transactions whose first byte is 0xc0 or more as legacy transactions with the chain id of EIP-155. Accept them.',
    ...accepts('legacy'),
    expectation: 'advice',
  },
  'D68-hash-of-the-transaction': {
    title: 'tx_hash is the hash of the transaction that was sent',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '2.endpoints/did-registry.32',
      '2.endpoints/did-registry.14',
      '2.states-and-transitions.8',
    ],
    description: 'With the hash the client finds the transaction at any chain node.',
    sends: 'Two changes, signed as transactions of type 0x01, the second one in upper case hex.',
    decides:
      'HTTP 200 with a receipt whose status is 1, or 206 without a receipt; tx_hash is Keccak-256 of the raw transaction.',
    fix: 'Return Keccak-256 of all bytes of signedRawTransaction as tx_hash. Return 206 only if receipt is null. Read hex digits in either case.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const raw = signTyped(built, identity.privateKey)
      const { tx_hash: hash, receipt } = await requireSent(registry, raw, [200, 206])
      expectEqual('tx_hash', hash.toLowerCase(), hashOfTransaction(raw))
      expectEqual('status of the receipt', receipt?.status ?? 1, 1)
      const next = signTyped(await buildUpdate(registry, identity), identity.privateKey)
      const inUpperCase = `0x${next.slice(2).toUpperCase()}`
      const second = await registry.post('transactions/send', { signedRawTransaction: inUpperCase })
      if (second.status === 400) {
        const level = 'practice'
        return broken('A transaction in upper case hex was rejected with HTTP 400', { level })
      }
      const { tx_hash: other } = readSent(second, [200, 206])
      expectEqual('tx_hash in upper case', other.toLowerCase(), hashOfTransaction(next))
      return held('tx_hash is the hash of the transaction')
    },
  },
})

/** The common part of the checks of types of transactions. */
function accepts(
  type: 1 | 2 | 'legacy',
): Omit<CheckRow<DidRegistryContext>, 'title' | 'level' | 'clauses' | 'description' | 'fix'> {
  const what = type === 'legacy' ? 'legacy transaction' : `transaction of type 0x0${type}`
  return {
    expectation: 'accept',
    rows: ['2.endpoints/did-registry.14'],
    sends: `A change, signed as a ${what}.`,
    decides: 'It is mined with status 1.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const built = await buildUpdate(registry, identity)
      const { raw } =
        type === 'legacy'
          ? signTransaction(built, identity.privateKey)
          : signTypedTransaction(built, type, identity.privateKey)
      const sent = await registry.post('transactions/send', { signedRawTransaction: raw })
      await requireApplied(registry, raw, sent)
      return held(`The ${what} was accepted`)
    },
  }
}

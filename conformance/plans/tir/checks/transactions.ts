import { randomBytes } from 'node:crypto'
import { type Signer, toHex } from '#core/ethereum/account.ts'
import { signTransaction, signTypedTransaction } from '#core/ethereum/transaction.ts'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, endCheck, held } from '../../../kit/check.ts'
import { asPremise, requireFinding } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { hashOfTransaction } from '../../registries/chain-receipts.ts'
import type { TirContext } from '../context.ts'
import {
  type PreparedSending,
  prepareSending,
  publish,
  signBody,
  signSending,
} from '../publications.ts'
import { findEachRpcError, findRpcError, requireResult } from '../rpc.ts'
import { isSameHash } from '../tir-under-test.ts'

export const checks = defineChecks<TirContext>({
  'T53-garbage-for-a-transaction': {
    title: 'An unreadable signedRawTransaction is rejected',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.12', '2.endpoints/tir.15', '2.endpoints/tir.16'],
    description:
      'With the hash of a transaction that can never be mined, a client waits indefinitely.',
    sends:
      'sendSignedTransaction with a truncated transaction, random bytes, an empty value, and letters that are not hex.',
    decides: 'error.code -32602 for each of them.',
    fix: 'Decode signedRawTransaction before you send it. If it is not a complete transaction in 0x-hex, return error.code -32602.',
    control: 'sendSignedTransaction',
    async run(context) {
      const { tir } = context
      const { sending } = await prepareSending(context)
      const send = (signedRawTransaction: unknown) => () =>
        tir.call('sendSignedTransaction', { ...sending, signedRawTransaction })
      return findEachRpcError(
        {
          'half a transaction': send(sending.signedRawTransaction.slice(0, 120)),
          'random bytes': send(toHex(randomBytes(120))),
          'only 0x': send('0x'),
          'letters that are not hex': send('0xzz'),
          'no transaction': send(undefined),
        },
        -32602,
      )
    },
  },
  'T96-valid-transaction-is-sent': {
    title: 'A correctly signed transaction is sent, and its hash returned',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.12', '2.endpoints/tir.13', '2.endpoints/tir.15'],
    description:
      'The TIR verifies the signature and leaves the decision to the contract: without this method nothing can be published.',
    sends:
      'sendSignedTransaction of two publications by accounts without authority, which the contract will revert; r or s of the second one begins with a zero byte.',
    decides:
      'Each result is Keccak-256 of its raw transaction. A rejection of the valid call twice is a FAIL.',
    fix: 'If unsignedTransaction, signature and signedRawTransaction agree, send the transaction, and return its hash. Pad r and s to 32 bytes. Do not check the authority of the signer.',
    control: 'setAttributeMetadata',
    async run(context) {
      const { tir, didRegistry } = context
      // The kit cannot create its TAO at a TIR that returns wrong hashes.
      const building = prepareSending(context, { isByTao: false })
      const { unsigned } = await building.catch((error: unknown) => {
        requireFinding(error)
        return prepareSending(context)
      })
      const sign = ({ address: from, privateKey }: Signer) =>
        signSending({ ...unsigned, from, nonce: '0x0' }, privateKey)
      const hasZero = (signer: Signer) => {
        const { r, s } = sign(signer)
        return r.startsWith('0x00') || s.startsWith('0x00')
      }
      let second = didRegistry.createIdentity()
      while (!hasZero(second)) second = didRegistry.createIdentity()
      const cases = {
        'A correctly signed transaction': didRegistry.createIdentity(),
        'A transaction whose r or s begins with a zero byte': second,
      }
      return findEach(Object.entries(cases), async ([what, signer]) => {
        const sending = sign(signer)
        const answer = await tir.call('sendSignedTransaction', sending)
        const hash = requireResult(answer, what)
        const expected = hashOfTransaction(sending.signedRawTransaction)
        expectEqual(`the hash of: ${what}`, isSameHash(hash, expected) ? expected : hash, expected)
        return held(`${what} was sent, and its hash returned`)
      })
    },
  },
  'T54-hash-before-mined': {
    title: 'sendSignedTransaction returns the hash as soon as it accepts the transaction',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.13', '2.what-the-service-does.3'],
    description: 'It does not wait for a block; the client asks the chain node for the receipt.',
    sends:
      'setAttributeMetadata and then setAttributeData of an attribute while no block is mined; then mining resumes.',
    decides:
      'The hash is returned while there is no receipt, and once a block is mined the receipt has status 0x1. If setAttributeData is not built with the next nonce, or not applied, the result is a WARN.',
    fix: 'Return the hash as soon as the chain node accepts the transaction, and count it in the next nonce (eth_getTransactionCount, pending). Build setAttributeData before its metadata is mined: if the gas estimate reverts, use a gas limit that is high enough.',
    needs: ['accreditor', 'mining'],
    async run(context) {
      const { tir, mining } = context
      const prepared = await prepareSending(context)
      await mining.hold()
      const answer = await tir.call('sendSignedTransaction', prepared.sending)
      const hash = String(requireResult(answer, 'A transaction while no block is mined'))
      expectMatch('the hash', hash, /^0x[0-9a-f]{64}$/i)
      expectEqual('the receipt before the block', await tir.readReceipt(hash), undefined)
      // The receipts are checked after both transactions (profile/trust-chain).
      const data = await sendData(context, prepared).catch(requireFinding)
      await mining.mine()
      const { status } = await tir.awaitReceipt(hash)
      expectEqual('status of the receipt', status, '0x1')
      if (typeof data !== 'string') {
        return data.kind === 'broken' ? { ...data, level: 'practice' } : data
      }
      const { status: actual } = await tir.awaitReceipt(data)
      if (actual !== '0x1') {
        const reason = 'setAttributeData was sent before its metadata was mined, and reverted'
        return broken(reason, { level: 'practice', expected: '0x1', actual })
      }
      return held('The hash was returned before the transaction was mined')
    },
  },
  'T102-pending-sent-again': {
    title: 'A pending transaction can be sent again',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.13', '2.errors/tir.5'],
    description:
      'A client whose connection ended sends the same bytes again. Nodes report that they know the transaction, which is not an internal error.',
    sends:
      'The same publication twice while no block is mined, then another transaction with the same nonce.',
    decides:
      'The second response has the same hash, or error.code -32602; the third one has a result, or error.code -32602.',
    fix: 'If the node reports that it knows the transaction already, return its hash, not error.code -32603. If it reports that another one has its nonce (underpriced), return error.code -32602.',
    needs: ['accreditor', 'mining'],
    async run(context) {
      const { tir, mining } = context
      const { sending, unsigned, by } = await prepareSending(context)
      const gasLimit = `0x${(BigInt(unsigned.gasLimit) - 1n).toString(16)}`
      const other = signSending({ ...unsigned, gasLimit }, by.signer.privateKey)
      const send = (parameters: object) => tir.call('sendSignedTransaction', parameters)
      await mining.hold()
      const answers = (async () => {
        const first = (async () => requireResult(await send(sending), 'A pending transaction'))()
        const hash = await asPremise('sending it (see T54)', first)
        return { hash, again: await send(sending), third: await send(other) }
      })()
      const { hash, again, third } = await answers.finally(() => mining.mine().catch(() => {}))
      const isRejected = ({ json }: HttpAnswer) =>
        (json as { error?: { code?: unknown } } | null)?.error?.code === -32602
      if (!isRejected(again)) {
        expectEqual('the second hash', requireResult(again, 'The same transaction'), hash)
      }
      if (!isRejected(third)) requireResult(third, 'Another transaction with the same nonce')
      return held('Both were answered with a hash or -32602')
    },
  },
  'T55-typed-transaction': {
    title: 'A typed transaction is accepted, and its hash returned',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.12'],
    clauses: ['EIP-2718, Specification', 'EIP-2930, Specification'],
    description:
      'Current libraries create transactions of type 0x02 by default; the type is part of the hashed data.',
    sends:
      'sendSignedTransaction of two publications, one signed as type 0x01 and one as type 0x02.',
    decides: 'Each result is Keccak-256 of its raw transaction, and its receipt has status 0x1.',
    fix: 'Decode transactions of the types 0x01 (EIP-2930) and 0x02 (EIP-1559), whose first byte is the type. Return Keccak-256 of all bytes of signedRawTransaction as result.',
    needs: ['accreditor'],
    run: (context) =>
      findEach([1, 2] as const, async (type) => {
        const { tir } = context
        const { unsigned, by, sending } = await prepareSending(context)
        const { raw, ...signature } = signTypedTransaction(unsigned, type, by.signer.privateKey)
        const typed = { ...sending, ...signature, signedRawTransaction: raw }
        const answer = await tir.call('sendSignedTransaction', typed)
        const what = `A transaction of type 0x0${type}`
        const hash = String(requireResult(answer, what)).toLowerCase()
        expectEqual(`the hash of type 0x0${type}`, hash, hashOfTransaction(raw))
        const { status } = await tir.awaitReceipt(hash)
        expectEqual(`status of the receipt of type 0x0${type}`, status, '0x1')
        return held(`${what} was accepted`)
      }),
  },
  'T56-obsolete-nonce': {
    title: 'An obsolete nonce is rejected',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.12'],
    description:
      'Another transaction of the account came first: the client must build a new one, and not wait for this one.',
    sends: 'A publication whose nonce another publication of the account has already used.',
    decides: 'error.code -32602, and the attribute is not published.',
    fix: 'Compare the nonce of the transaction with the next one of its signer. If it has already been used, return error.code -32602.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { sending, metadata } = await prepareSending(context)
      await publish(context)
      const answer = await tir.call('sendSignedTransaction', sending)
      const finding = findRpcError(answer, { what: 'An obsolete nonce', code: -32602 })
      const attribute = await tir.readAttribute(metadata.did, metadata.attributeId)
      expectEqual('the attribute', attribute, undefined)
      return finding
    },
  },
  'T57-forms-of-v': {
    title: 'v is accepted as 27 or 28, as 0 or 1, and with the chain id',
    level: 'practice',
    expectation: 'accept',
    rows: ['2.endpoints/tir.12'],
    clauses: ['EIP-155, Specification'],
    description: 'Libraries differ in the form of v; all three are equivalent.',
    sends: 'Three publications, each with a different form of v.',
    decides: 'All are accepted, and their receipts have status 0x1.',
    fix: 'Convert v to one form before you compare it: 0 or 1, 27 or 28, and chainId * 2 plus 35 or 36 are equivalent.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      return findEach(['27 or 28', '0 or 1', 'EIP-155'] as const, async (form) => {
        const { sending, unsigned } = await prepareSending(context)
        const parity = BigInt(sending.v) - 27n
        const base = {
          '27 or 28': 27n,
          '0 or 1': 0n,
          'EIP-155': BigInt(unsigned.chainId) * 2n + 35n,
        }
        const v = `0x${(base[form] + parity).toString(16)}`
        const answer = await tir.call('sendSignedTransaction', { ...sending, v })
        const hash = String(requireResult(answer, `v as ${form}`))
        const { status } = await tir.awaitReceipt(hash)
        expectEqual(`status of the receipt with v as ${form}`, status, '0x1')
        return held(`v as ${form} is accepted`)
      })
    },
  },
  'T58-reverted-receipt': {
    title: 'A forbidden write has a receipt with status 0x0 and the reason',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.14', '2.what-the-service-does.3'],
    description:
      'The API does not report whether a transaction succeeded: the client learns that, and the reason of a failure, from the chain node.',
    sends: 'A publication in the name of a TAO, signed by another account.',
    decides: 'The receipt at the chain node has status 0x0 and a revertReason.',
    fix: 'Send a transaction even if the contract will revert it, and revert with a reason. Let the chain node return status 0x0 and revertReason in the receipt.',
    async run(context) {
      const { tir, didRegistry } = context
      const { unsigned: own } = await prepareSending(context)
      const { address, privateKey } = didRegistry.createIdentity()
      const sending = signSending({ ...own, from: address, nonce: '0x0' }, privateKey)
      const answer = await tir.call('sendSignedTransaction', sending)
      const hash = String(requireResult(answer, 'A forbidden write'))
      const { status, revertReason } = await tir.awaitReceipt(hash)
      expectEqual('status of the receipt', status, '0x0')
      expectMatch('revertReason', revertReason, /^0x[0-9a-f]{8}/i)
      return held('The receipt contains the failure and its reason')
    },
  },
})

/** Sends the data of a publication that may not be mined yet; returns the hash. */
async function sendData(
  context: TirContext,
  { by, metadata, unsigned }: PreparedSending,
): Promise<string> {
  const { client } = context.tir
  const { address: from, privateKey } = by.signer
  const { did, attributeId } = metadata
  const attributeData = toHex(Buffer.from(signBody(context, metadata, by)))
  const parameters = { from, did, attributeId: `0x${attributeId}`, attributeData }
  const next = await client.build('setAttributeData', parameters)
  const [expected, actual] = [BigInt(unsigned.nonce) + 1n, BigInt(next.nonce)].map(String)
  if (actual === expected) return client.send(next, signTransaction(next, privateKey))
  const reason = 'A transaction that was built before the block has a wrong nonce'
  endCheck(broken(reason, { verdictSource: 'nonce', expected, actual }))
}

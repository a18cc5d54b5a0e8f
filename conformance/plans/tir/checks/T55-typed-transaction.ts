import { signTypedTransaction } from '#core/ethereum/sign-typed-transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { hashOfTransaction } from '../../registries/hash-of-transaction.ts'
import { defineTirCheck } from '../context.ts'
import { prepareSending } from '../prepare-sending.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T55',
  title: 'A typed transaction is taken, and answered with its hash',
  level: 'practice',
  expectation: 'accept',
  rows: ['2.endpoints/tir.12'],
  clauses: ['EIP-2718, Specification'],
  description:
    'Today’s libraries write transactions of type 0x02 where nobody tells them otherwise; the type belongs to what is hashed.',
  sends: 'sendSignedTransaction of a publication that is signed as type 0x02.',
  decides: 'result is Keccak-256 of the raw transaction, and its receipt has status 0x1.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    const { unsigned, by, sending } = await prepareSending(context)
    const { raw, ...signature } = signTypedTransaction(unsigned, 2, by.signer.privateKey)
    const typed = { ...sending, ...signature, signedRawTransaction: raw }
    const answer = await tir.post(rpcRequest('sendSignedTransaction', typed))
    const hash = String(requireResult(answer, 'A typed transaction')).toLowerCase()
    expectEqual('the hash', hash, hashOfTransaction(raw))
    const { status } = await tir.awaitReceipt(hash)
    expectEqual('status of the receipt', status, '0x1')
    return held('The typed transaction was taken')
  },
})

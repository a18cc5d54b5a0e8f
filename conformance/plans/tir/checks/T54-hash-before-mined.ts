import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { prepareSending } from '../prepare-sending.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T54',
  title: 'sendSignedTransaction answers the hash as soon as the transaction is taken',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/tir.13', '2.what-the-service-does.3'],
  description: 'It does not wait for a block; the client asks the chain node for the receipt.',
  sends: 'A publication while no block is mined; then the chain goes on.',
  decides:
    'The hash is answered while there is no receipt, and once a block is mined its receipt has status 0x1.',
  needs: ['accreditor', 'mining'],
  async run(context) {
    const { tir, mining } = context
    const { sending } = await prepareSending(context)
    await mining.hold()
    const answer = await tir.post(rpcRequest('sendSignedTransaction', sending))
    const hash = String(requireResult(answer, 'A transaction while no block is mined'))
    expectMatch('the hash', hash, /^0x[0-9a-f]{64}$/i)
    expectEqual('the receipt before the block', await tir.readReceipt(hash), undefined)
    await mining.mine()
    const { status } = await tir.awaitReceipt(hash)
    expectEqual('status of the receipt', status, '0x1')
    return held('The hash was answered before the transaction was mined')
  },
})

import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { correctRequest } from '../correct-request.ts'
import { findRpcError } from '../find-rpc-error.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T38',
  title: 'While the chain is away, a request is answered with -32603',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/tir.5', '2.endpoints/tir.8'],
  clauses: ['JSON-RPC 2.0, 5.1'],
  description: 'By the code a client knows that it did nothing wrong, and tries again later.',
  sends: 'A correct setAttributeData while the TIR is cut off from its chain.',
  decides: 'error.code -32603.',
  needs: ['outage'],
  async run(context) {
    const { tir, didRegistry, setChainOutage } = context
    await requireControl(correctRequest(context))
    const correct = correctData(didRegistry)
    await setChainOutage(true)
    const answer = await tir.post(rpcRequest('setAttributeData', correct))
    await setChainOutage(false)
    return findRpcError(answer, { what: 'A request without a chain', code: -32603 })
  },
})

import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { findRpcError } from '../find-rpc-error.ts'
import { requireControl } from '../require-control.ts'

export const check = defineTirCheck({
  id: 'T36',
  title: 'An empty batch is answered with a single -32600',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['JSON-RPC 2.0, 6'],
  description: 'It is no request; a client that gets nothing waits.',
  sends: 'An empty list.',
  decides: 'One answer, no list, with error.code -32600.',
  async run(context) {
    const { tir } = context
    await requireControl(correctRequest(context))
    return findRpcError(await tir.post([]), { what: 'An empty batch', code: -32600 })
  },
})

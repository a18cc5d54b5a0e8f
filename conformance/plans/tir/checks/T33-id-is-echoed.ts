import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { requireVerdict } from '../../registries/require-verdict.ts'
import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T33',
  title: 'An answer has the id of its request, text or number as it was',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/tir.6', '2.endpoints/tir.7'],
  clauses: ['JSON-RPC 2.0, 5'],
  description: 'By it a client knows which of its requests was answered.',
  sends: 'A request with the ids 7, 0, "7" and a text.',
  decides: 'id of each answer is the same value, of the same type.',
  async run(context) {
    const { tir } = context
    await requireControl(correctRequest(context))
    for (const id of [7, 0, '7', 'request of the kit']) {
      const answer = requireVerdict(await tir.post(rpcRequest('setAttributeData', {}, id)))
      expectEqual('id', (answer.json as { id?: unknown } | undefined)?.id, id)
    }
    return held('Ids are the same in answers')
  },
})

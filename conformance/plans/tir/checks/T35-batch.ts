import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { requireVerdict } from '../../registries/require-verdict.ts'
import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T35',
  title: 'A batch is answered with an answer for each request',
  level: 'practice',
  expectation: 'accept',
  clauses: ['JSON-RPC 2.0, 6'],
  description: 'JSON-RPC 2.0 has batches; a client that sends one waits for all of its answers.',
  sends: 'A batch of two requests with the ids "first" and "second".',
  decides: 'The answer is a list with both ids, in any order.',
  async run(context) {
    const { tir } = context
    await requireControl(correctRequest(context))
    const batch = ['first', 'second'].map((id) => rpcRequest('setAttributeData', {}, id))
    const { json } = requireVerdict(await tir.post(batch))
    const answers = Array.isArray(json) ? (json as { id?: unknown }[]) : [{ id: json }]
    const ids = answers.map(({ id }) => id).sort()
    expectEqual('ids of the answers', ids, ['first', 'second'])
    return held('Both requests of the batch are answered')
  },
})

import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { requireVerdict } from '../../registries/require-verdict.ts'
import { defineTirCheck } from '../context.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'

export const check = defineTirCheck({
  id: 'T37',
  title: 'A notification is not answered',
  level: 'practice',
  expectation: 'accept',
  clauses: ['JSON-RPC 2.0, 4.1'],
  description: 'A client that sent no id reads the next answer as that of its next request.',
  sends: 'A request without id.',
  decides: 'The answer has no body.',
  async run(context) {
    const { tir } = context
    await requireControl(correctRequest(context))
    const notification = { jsonrpc: '2.0', method: 'setAttributeData', params: [{}] }
    const { text } = requireVerdict(await tir.post(notification))
    expectEqual('the body', text, '')
    return held('The notification was not answered')
  },
})

import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { requireVerdict } from '../../registries/require-verdict.ts'
import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T64',
  title: 'A member that stands twice in a request is refused',
  level: 'practice',
  expectation: 'refuse',
  clauses: ['RFC 8259, 4'],
  description:
    'Two readers read two different requests: whoever checks one before it reaches the TIR sees another method than the TIR does.',
  sends: 'A correct setAttributeData with two members method.',
  decides: 'error.code -32700 or -32600, and no result.',
  async run(context) {
    const { tir, didRegistry } = context
    await requireControl(correctRequest(context))
    const correct = correctData(didRegistry)
    const text = JSON.stringify(rpcRequest('setAttributeData', correct))
    const { json } = requireVerdict(await tir.post(`{"method":"health",${text.slice(1)}`))
    const { result, error } = (json ?? {}) as { result?: unknown; error?: { code?: unknown } }
    expectEqual('the result', result, undefined)
    expectTrue('the code is -32700 or -32600', [-32700, -32600].includes(Number(error?.code)), json)
    return held(`Two members of one name were refused with ${error?.code}`)
  },
})

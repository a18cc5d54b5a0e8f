import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { requireVerdict } from '../../registries/require-verdict.ts'
import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T62',
  title: 'A request of another content type than JSON is refused',
  level: 'practice',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.1'],
  clauses: ['RFC 9110, 15.5.16'],
  description:
    'A page of somebody else’s can make a browser post text/plain anywhere without asking; no API should act on it.',
  sends: 'A correct setAttributeData as text/plain, as a form and as XML.',
  decides: 'A 4xx, or an error of JSON-RPC, for each of them.',
  async run(context) {
    const { tir, didRegistry } = context
    await requireControl(correctRequest(context))
    const correct = correctData(didRegistry)
    const text = JSON.stringify(rpcRequest('setAttributeData', correct))
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const answer = requireVerdict(await tir.post(text, { 'content-type': type }))
      const { result } = (answer.json ?? {}) as { result?: unknown }
      expectEqual(`the result of a request as ${type}`, result, undefined)
    }
    return held('Other content types were refused')
  },
})

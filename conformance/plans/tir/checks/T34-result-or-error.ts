import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T34',
  title: 'An answer has jsonrpc 2.0 and either a result or an error with code and message',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/tir.7', '2.endpoints/tir.8'],
  clauses: ['JSON-RPC 2.0, 5'],
  description: 'Libraries that find both refuse the answer, or take the wrong one.',
  sends: 'A correct request, and one whose parameters are missing.',
  decides:
    'The first answer has jsonrpc and result without error; the second one has jsonrpc and error, a code and a message, without result.',
  async run({ tir, didRegistry }) {
    const correct = correctData(didRegistry)
    const good = await tir.post(rpcRequest('setAttributeData', correct))
    requireResult(good, 'A correct request')
    const success = requireJson(good, 'A correct request')
    expectTrue('a success has no error', !('error' in success), success)
    const bad = await tir.post(rpcRequest('setAttributeData', {}))
    const failure = requireJson(bad, 'A wrong request', [200, 400])
    expectTrue('an error has no result', !('result' in failure), failure)
    expectEqual('jsonrpc', [success.jsonrpc, failure.jsonrpc], ['2.0', '2.0'])
    const { code, message } = (failure.error ?? {}) as Record<string, unknown>
    expectTrue('code is an integer', Number.isInteger(code), code)
    expectMatch('message', message, /\w/)
    return held('Answers have either a result or an error')
  },
})

import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { defineChecks } from '../../../kit/define-check.ts'
import { held } from '../../../kit/finding.ts'
import { findNoServerError, hostileBodies, requireVerdict } from '../../registries/findings.ts'
import type { TirContext } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { correctRequest } from '../correct-request.ts'
import { requireControl } from '../require-control.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'

export const checks = defineChecks<TirContext>({
  'T33-id-is-echoed': {
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
  },
  'T34-result-or-error': {
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
  },
  'T35-batch': {
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
  },
  'T37-notification': {
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
  },
  'T63-no-server-errors': {
    title: 'Nothing that a client can send is answered with a 5xx',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.8'],
    description:
      'A client’s mistake that ends in a fault of the server’s hides what is wrong, and shows attackers where to look.',
    sends: 'Hostile bodies to the JSON-RPC endpoint, and odd paths.',
    decides: 'None of the answers is a 5xx.',
    async run(context) {
      const { tir, didRegistry } = context
      await requireControl(correctRequest(context))
      const { did } = didRegistry.createIdentity()
      const posts = Object.entries(hostileBodies).map(
        ([what, body]) => [what, () => tir.post(body)] as const,
      )
      const calls = ['setAttributeMetadata', 'setAttributeData', 'sendSignedTransaction'].map(
        (method) =>
          [
            `members of other types to ${method}`,
            () =>
              tir.post(rpcRequest(method, { from: {}, did: [], r: {}, unsignedTransaction: 1 })),
          ] as const,
      )
      const paths = [
        `/v1/issuers/${did}/attributes/${'a'.repeat(4000)}`,
        '/v1/issuers/%00/attributes/00',
        '/v1/issuers/%ff/attributes/%ff',
        '/v1/issuers/__proto__/attributes/0',
      ]
      const gets = paths.map((path) => [path.slice(0, 80), () => tir.get(path)] as const)
      return findNoServerError(Object.fromEntries([...posts, ...calls, ...gets]))
    },
  },
})

import { randomBytes } from 'node:crypto'
import { membersOf } from '#core/json/json-object.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineChecks, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import { asUnusual, classifyStatus, requireJson } from '../../../kit/classify-answer.ts'
import { dueCases, findEach, requireEach } from '../../../kit/find-each.ts'
import { findNoServerError, hostileBodies, requireVerdict } from '../../registries/findings.ts'
import { type TirContext, whyRejected } from '../context.ts'
import { correctData, correctMetadata, prepareSending, signSending } from '../publications.ts'
import { findEachRpcError, findRpcError, requireResult, rpcRequest } from '../rpc.ts'

/** Values of a wrong type or size for any member. */
const oddValues: readonly unknown[] = [
  ...[null, 1, '', '0x', '0x2', 'x', [], {}, 'did:key:z6Mk'],
  `0x${'ff'.repeat(33)}`,
]

const unknownMethods = ['setAttributeMetaData', 'constructor', '__proto__', 'get']

/** What is put before the members of a request and makes one of them a second one. */
const duplicates: Readonly<Record<string, string>> = {
  'two members "method"': '"method":"health"',
  'the same name once with an escaped letter': '"meth\\u006fd":"health"',
  'two members "method" and a list between them': '"method":"health","x":[{"y":1}]',
  'two members "method" and an object between them': '"method":"health","x":{"y":{}}',
  'two members "method" and brackets in a string between them':
    '"method":"health","x":"\\"}]{\\\\"',
  'two members "method" and a string that ends with a quotation mark between them':
    '"method":"health","x":"\\""',
  'two equal names in an object within the request': '"x":{"y":1,"y":2}',
}

export const checks = defineChecks<TirContext>({
  'T33-id-is-echoed': {
    title: 'A response has the id of its request, with the same type',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.6', '2.endpoints/tir.7'],
    clauses: ['JSON-RPC 2.0, 5'],
    description: 'The id shows a client which of its requests was answered.',
    sends:
      'Requests with the ids 7, 0, -1, "7", an empty string, a string, one with characters of JSON and beyond ASCII, one with spaces around it, and one of 200 characters.',
    decides:
      'id of each response is the same value, of the same type. If the last three are rejected with a null id or no id, the result is a WARN.',
    fix: 'Copy id of the request into the response, unchanged and with its type: 7 stays a number, and "7" a string. Keep spaces around a string.',
    control: 'setAttributeData',
    async run({ tir }) {
      const read = async (id: unknown) => {
        const answer = requireVerdict(await tir.call('setAttributeData', {}, id))
        return (answer.json as { id?: unknown } | undefined)?.id
      }
      const subject = (id: unknown) => `id of the response to ${JSON.stringify(id)}`
      await requireEach([7, 0, -1, '7', '', 'Request of the kit'], async (id) =>
        expectEqual(subject(id), await read(id), id),
      )
      await requireEach(['ñ 王 & <b> "\\', ' 7 ', 'x'.repeat(200)], async (id) => {
        const actual = await asUnusual(read(id))
        if (actual === null || actual === undefined) {
          const reason = `A request with the id ${JSON.stringify(id)} was rejected`
          return broken(reason, { level: 'practice', expected: id, actual })
        }
        expectEqual(subject(id), actual, id)
      })
      return held('Ids are the same in responses')
    },
  },
  'T34-result-or-error': {
    title: 'A response has jsonrpc 2.0 and either a result or an error with code and message',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.7', '2.endpoints/tir.8'],
    clauses: ['JSON-RPC 2.0, 5'],
    description: 'A library that finds both rejects the response or uses the wrong member.',
    sends: 'A correct request, and a request without parameters.',
    decides:
      'The first response has jsonrpc and result without error; the second one has jsonrpc and error, a code and a message, without result.',
    fix: 'Respond with jsonrpc "2.0" and either result or error, never both. error has an integer code and a string message.',
    async run(context) {
      const { tir } = context
      const correct = await correctData(context)
      const correctAnswer = await tir.call('setAttributeData', correct)
      requireResult(correctAnswer, 'A correct request', whyRejected(context))
      const success = requireJson(correctAnswer, 'A correct request')
      expectTrue('a success has no error', !('error' in success), success)
      const bad = await tir.call('setAttributeData', {})
      // The profile does not name the HTTP status of an error.
      const given = membersOf(bad.json)
      const failure =
        given.jsonrpc === '2.0' ? given : requireJson(bad, 'A wrong request', [200, 400])
      expectTrue('an error has no result', !('result' in failure), failure)
      expectEqual('jsonrpc', [success.jsonrpc, failure.jsonrpc], ['2.0', '2.0'])
      const { code, message } = (failure.error ?? {}) as Record<string, unknown>
      expectTrue('code is an integer', Number.isInteger(code), code)
      expectMatch('message', message, /\w/)
      return held('Responses have either a result or an error')
    },
  },
  'T35-batch': {
    title: 'A batch returns a response for each request',
    level: 'practice',
    expectation: 'accept',
    clauses: ['JSON-RPC 2.0, 6'],
    description:
      'JSON-RPC 2.0 has batches; a client that sends one waits for all of its responses.',
    sends: 'A batch of two requests with the ids "first" and "second".',
    decides: 'The response is a list with both ids, in any order.',
    fix: 'If the body is an array, respond with an array that has the response to each of its requests.',
    control: 'setAttributeData',
    async run({ tir }) {
      const batch = ['first', 'second'].map((id) => rpcRequest('setAttributeData', {}, id))
      const { json, text } = requireVerdict(await tir.post(batch))
      expectTrue('the response to a batch is a list', Array.isArray(json), text.slice(0, 200))
      const ids = (json as unknown[]).map((answer) => membersOf(answer).id).sort()
      expectEqual('ids of the responses', ids, ['first', 'second'])
      return held('Both requests of the batch are answered')
    },
  },
  'T68-mixed-batch': {
    title: 'In a batch, an invalid entry gets -32600, and a notification no response',
    level: 'practice',
    expectation: 'accept',
    clauses: ['JSON-RPC 2.0, 6'],
    description: 'One invalid entry must not hide the responses to the others.',
    sends:
      'A batch of a request with the id "first", a number, a notification, and a request with the id "second".',
    decides:
      'The response is a list of three: for "first", for "second", and error.code -32600 with the id null.',
    fix: 'Respond to each entry of a batch separately: an invalid one with error.code -32600 and id null, a notification with nothing.',
    control: 'setAttributeData',
    async run({ tir }) {
      const [first, second] = ['first', 'second'].map((id) =>
        rpcRequest('setAttributeData', {}, id),
      )
      const notification = { jsonrpc: '2.0', method: 'setAttributeData', params: [{}] }
      const { json, text } = requireVerdict(await tir.post([first, 1, notification, second]))
      expectTrue('the response to a batch is a list', Array.isArray(json), text.slice(0, 200))
      const answers = json as { id?: unknown; error?: { code?: unknown } }[]
      const ids = answers.map((answer) => answer?.id)
      expectEqual('ids of the responses', new Set(ids), new Set(['first', 'second', null]))
      expectEqual('number of responses', ids.length, 3)
      const invalid = answers.find((answer) => answer?.id === null)
      expectEqual('code of the invalid entry', invalid?.error?.code, -32600)
      return held('The invalid entry and both requests are answered, and the notification is not')
    },
  },
  'T69-id-of-an-error': {
    title: 'An error about a request without a readable id has the id null',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['JSON-RPC 2.0, 5'],
    description:
      'With an invented id, a client takes the error for the response to another request.',
    sends: 'Half of a JSON document, a string, and requests whose id is an object, a list or true.',
    decides: 'Each response has an error, and its id is null.',
    fix: 'If the id of a request cannot be read, or is not a string, a number or null, respond with an error whose id is null.',
    control: 'setAttributeData',
    async run({ tir }) {
      const bodies: Record<string, unknown> = {
        'half of a document': '{"jsonrpc":"2.0","id":7,"method":',
        'a string': '"setAttributeData"',
        ...Object.fromEntries(
          [{}, [], true].map((id) => [
            `the id ${JSON.stringify(id)}`,
            rpcRequest('setAttributeData', {}, id),
          ]),
        ),
      }
      return findEach(Object.entries(bodies), async ([what, body]) => {
        const { json } = requireVerdict(await tir.post(body))
        const { id, error } = (json ?? {}) as { id?: unknown; error?: unknown }
        expectTrue(`${what} is answered with an error`, error !== undefined, json)
        expectEqual(`id of the response to ${what}`, id, null)
        return held(`The id of the response to ${what} is null`)
      })
    },
  },
  'T36-empty-batch': {
    title: 'An empty batch returns a single -32600',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['JSON-RPC 2.0, 6'],
    description: 'It is not a valid request; a client without a response keeps waiting.',
    sends: 'An empty list.',
    decides: 'A single response, not a list, with error.code -32600.',
    fix: 'If the body is an empty array, respond with one object with error.code -32600, not with an array.',
    control: 'setAttributeData',
    async run({ tir }) {
      return findRpcError(await tir.post([]), { what: 'An empty batch', code: -32600 })
    },
  },
  'T37-notification': {
    title: 'A notification is not answered',
    level: 'practice',
    expectation: 'accept',
    clauses: ['JSON-RPC 2.0, 4.1'],
    description: 'A client that sent no id mistakes the response for that of its next request.',
    sends: 'A request with an id, the same one without it, and with the id null.',
    decides:
      'The response to the second has no body. The others are answered, the last one with the id null.',
    fix: 'If the request has no id, respond with an empty body, such as 204. A request with the id null is not a notification: answer it, if only with error.code -32600.',
    control: 'setAttributeData',
    async run({ tir }) {
      const notification = { jsonrpc: '2.0', method: 'setAttributeData', params: [{}] }
      const request = requireVerdict(await tir.post({ ...notification, id: 1 }))
      if (request.text === '') {
        return inconclusive('The same request with an id is not answered either')
      }
      const { text } = requireVerdict(await tir.post(notification))
      expectEqual('the body', text, '')
      const { json } = requireVerdict(await tir.post({ ...notification, id: null }))
      expectEqual('id of the response to the id null', Object(json).id, null)
      return held('Only the notification was not answered')
    },
  },
  'T38-internal-error': {
    title: 'While the chain is unavailable, a request returns -32603',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.errors/tir.5', '2.errors/tir.6', '2.endpoints/tir.8'],
    clauses: ['JSON-RPC 2.0, 5.1'],
    description:
      'The code shows a client that its request was correct and that it can try again later. A 404 would mean that an issuer is not accredited.',
    sends:
      'A correct setAttributeData and, if the target has an accreditor, GET of its attribute, while the TIR is disconnected from its chain.',
    decides: 'error.code -32603; and GET is not answered with a 4xx.',
    fix: 'If the chain node cannot be reached, return error.code -32603, and a GET with 500. Return 404 only if the contract says that the attribute does not exist.',
    control: 'setAttributeData',
    needs: ['outage'],
    async run(context) {
      const { tir, setChainOutage, canAccredit, accreditor } = context
      const correct = await correctData(context)
      const root = canAccredit ? await accreditor() : undefined
      await setChainOutage(true)
      const answer = await tir.call('setAttributeData', correct)
      const reading = root && (await tir.getAttribute(root.did, root.attributeId))
      await setChainOutage(false)
      if (reading && classifyStatus(reading.status) === 'refused') {
        const reason = `Without a chain, GET of an attribute was answered with HTTP ${reading.status}`
        return broken(reason, { expected: 500, actual: reading.status })
      }
      return findRpcError(answer, { what: 'A request without a chain', code: -32603 })
    },
  },
  'T104-key-service-down': {
    title: 'While the API key service is unavailable, no key is accepted without it',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.2', '2.errors/tir.2'],
    description:
      'The TIR validates keys with the API key service. If it lets every request pass during an outage, an attacker only has to wait for one, or to cause it.',
    sends:
      'A correct setAttributeData with an unknown API key and without one, while the TIR is disconnected from its API key service.',
    decides:
      'No answer has a result: any error will do. A TIR may still accept a key that it has validated before.',
    fix: 'If the API key service does not answer, answer with an error, such as HTTP 503, and do not evaluate the method. Accept only keys that the service has confirmed.',
    control: 'setAttributeData',
    needs: ['key-outage'],
    async run(context) {
      const { tir, setApiKeysOutage } = context
      const request = rpcRequest('setAttributeData', await correctData(context))
      const keys = { 'an unknown API key': randomBytes(24).toString('base64url'), 'no API key': '' }
      await setApiKeysOutage(true)
      const answers: [what: string, answer: HttpAnswer][] = []
      for (const [what, key] of Object.entries(keys)) {
        answers.push([what, await tir.post(request, { 'x-api-key': key })])
      }
      await setApiKeysOutage(false)
      await requireEach(answers, async ([what, { json }]) => {
        const { result } = membersOf(json)
        if (result === undefined) return
        const details = { verdictSource: 'error of the JSON-RPC answer', actual: result }
        return wronglyAccepted(`Without the API key service, ${what} was accepted`, details)
      })
      return held('Without the API key service, no request was accepted')
    },
  },
  'T62-other-content-types': {
    title: 'A request with a content type other than JSON is rejected',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.1'],
    clauses: ['RFC 9110, 15.5.16'],
    description:
      'A page of another site can make a browser post text/plain anywhere without asking; no API should act on it.',
    sends: 'A correct setAttributeData as text/plain, as a form and as XML.',
    decides: 'A 4xx, or a JSON-RPC error, for each of them.',
    fix: 'Accept only application/json as Content-Type at /v1/jsonrpc. Reject any other type with 415.',
    control: 'setAttributeData',
    async run(context) {
      const { tir } = context
      const correct = await correctData(context)
      const text = JSON.stringify(rpcRequest('setAttributeData', correct))
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']
      return findEach(types, async (type) => {
        const answer = requireVerdict(await tir.post(text, { 'content-type': type }))
        const { result } = (answer.json ?? {}) as { result?: unknown }
        expectEqual(`the result of a request as ${type}`, result, undefined)
        return held(`A request as ${type} was rejected`)
      })
    },
  },
  'T63-no-server-errors': {
    title: 'No client request causes a 5xx or an internal error',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.8', '2.errors/tir.5'],
    description:
      'A client’s mistake that causes a server error hides the problem, and shows attackers where to look.',
    sends:
      'Hostile bodies to the JSON-RPC endpoint, odd values of each member of each method and of the request, signatures that are changed, a nonce that is too high, and odd paths.',
    decides: 'None of the responses is a 5xx or has error.code -32603.',
    fix: 'Validate paths and bodies before you use them, and reject invalid input with a 4xx or a JSON-RPC error. Include broken JSON, wrong types, deep nesting and NUL bytes.',
    control: 'setAttributeData',
    async run(context) {
      const { tir, didRegistry } = context
      const { did } = didRegistry.createIdentity()
      const posts = Object.entries(hostileBodies).map(
        ([what, body]) => [what, () => tir.post(body)] as const,
      )
      const { sending, unsigned: built } = await prepareSending(context)
      const { address, privateKey } = didRegistry.createIdentity()
      const early = signSending({ ...built, from: address, nonce: '0x1' }, privateKey)
      const values = dueCases(context, oddValues, 1)
      const methods = {
        setAttributeMetadata: await correctMetadata(context),
        setAttributeData: await correctData(context),
        sendSignedTransaction: sending as object,
      }
      const members = Object.entries(methods).flatMap(([method, parameters]) =>
        Object.keys(parameters).flatMap((member) =>
          values.map(
            (value) =>
              [
                `${method} with ${JSON.stringify(value)} as ${member}`,
                () => tir.call(method, { ...parameters, [member]: value }),
              ] as const,
          ),
        ),
      )
      const unsigned = Object.keys(sending.unsignedTransaction).flatMap((member) =>
        values.map((value) => {
          const unsignedTransaction = { ...sending.unsignedTransaction, [member]: value }
          const parameters = { ...sending, unsignedTransaction }
          const send = () => tir.call('sendSignedTransaction', parameters)
          return [`${JSON.stringify(value)} as ${member} of unsignedTransaction`, send] as const
        }),
      )
      const request = rpcRequest('setAttributeData', await correctData(context))
      const envelopes = ['jsonrpc', 'method', 'params', 'id'].flatMap((member) =>
        [...values, ...unknownMethods].map(
          (value) =>
            [
              `${JSON.stringify(value)} as ${member}`,
              () => tir.post({ ...request, [member]: value }),
            ] as const,
        ),
      )
      const calls = ['setAttributeMetadata', 'setAttributeData', 'sendSignedTransaction'].map(
        (method) =>
          [
            `members of wrong types to ${method}`,
            () => tir.call(method, { from: {}, did: [], r: {}, unsignedTransaction: 1 }),
          ] as const,
      )
      const paths = [
        '/v1/jsonrpc',
        `/v1/issuers/${did}/attributes/${'a'.repeat(4000)}`,
        '/v1/issuers/%00/attributes/00',
        '/v1/issuers/%ff/attributes/%ff',
        '/v1/issuers/%zz/attributes/%zz',
        '/v1/issuers/__proto__/attributes/0',
      ]
      const gets = paths.map((path) => [path.slice(0, 80), () => tir.get(path)] as const)
      return findNoServerError(
        Object.fromEntries([
          ...posts,
          ...calls,
          ...members,
          ...unsigned,
          ...envelopes,
          ...gets,
          ['A nonce that is too high', () => tir.call('sendSignedTransaction', early)],
        ]),
      )
    },
  },
  'T64-member-twice': {
    title: 'A request with a duplicate member, or with bytes that are not UTF-8, is rejected',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 8259, 4', 'RFC 8259, 8.1'],
    description:
      'Two parsers read two different requests: a proxy that checks the request sees a different method than the TIR.',
    sends:
      'A correct setAttributeData with two members "method", also escaped, in a batch, and with other values between them; and an object within it with two equal names; and one with a member in Latin-1.',
    decides: 'error.code -32700 or -32600 for each of them, and no result.',
    fix: 'Use a JSON parser that detects duplicate member names and bytes that are not UTF-8, and return error.code -32700. Most parsers keep the last member and replace the bytes.',
    control: 'setAttributeData',
    async run(context) {
      const { tir } = context
      const correct = await correctData(context)
      const text = JSON.stringify(rpcRequest('setAttributeData', correct))
      const requests = Object.entries(duplicates).map(
        ([what, before]) => [what, () => tir.post(`{${before},${text.slice(1)}`)] as const,
      )
      const latin1 = Buffer.from(`{"x":"ñ",${text.slice(1)}`, 'latin1')
      const all = {
        ...Object.fromEntries(requests),
        'a member in Latin-1': () => tir.post(latin1),
        'two members "method" in a batch': async () => {
          const answer = await tir.post(`[{"method":"health",${text.slice(1)}]`)
          // One error for the whole batch, or a list with the error of its entry.
          return { ...answer, json: [answer.json].flat()[0] }
        },
      }
      return findEachRpcError(all, [-32700, -32600])
    },
  },
})
